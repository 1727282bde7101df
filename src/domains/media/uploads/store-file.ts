import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BadImage, type CreatedFile, ImagesBusy, NoSpace, SIZES } from '../../../providers/images/port.ts';
import { orUnavailable, StorageRefused, StorageUnavailable } from '../../../providers/storage/port.ts';
import { type FieldError, unavailable } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { Steps } from '../context.ts';
import { privateKey, publicKey, sizeName, stemOf } from '../delivery/names.ts';
import { findMediaByHash, type MediaRow, type SizedFile } from '../queries.ts';
import type { MediaChange } from '../schemas.ts';
import { detectInThread } from './detect-type.ts';
import { contentTypeOf, dispositionOf, type FileType, typeOfExtension } from './file-types.ts';
import type { Spooled } from './spool.ts';

const HEIC =
  'is a HEIC photo, which is not supported. Save it as JPEG first. On an iPhone, select Settings > Camera > Formats > Most Compatible to take photos as JPEG.';
export const CENTER = { x: 0.5, y: 0.5 };

/** The file can't be accepted. `at` adds the request field. */
export class BadFile extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }

  at(field: string): FieldError {
    return { field, error: this.code, message: `${field} ${this.message}` };
  }
}

/** A stored file whose row is not written yet. `isKnown`: it is already in the library. `isDrawing`: it is a bundled drawing. */
export type StoredFile = MediaRow & { isKnown?: true; isDrawing?: true };

export async function findKnown(ctx: Steps, hash: string): Promise<StoredFile | null> {
  const row = await findMediaByHash(ctx.db, ctx.businessId, hash);
  return row && { ...row, isKnown: true };
}

/** `pixels`: the dimensions of a bundled drawing, an SVG, which needs no detection and no decoding. `isVisual`: must be an image or a video. */
type NewFile = {
  fileName: string;
  createdBy: string | null;
  pixels?: { width: number; height: number };
  isVisual?: boolean;
};

/**
 * Detects the type, creates the sizes of an image and stores all objects. Returns the row for the caller to insert;
 * if that never happens, a sweep deletes the objects. A file that is already in the library is returned unchanged.
 */
export async function storeFile(
  ctx: Steps,
  file: Spooled,
  { fileName, createdBy, pixels, isVisual }: NewFile,
  metadata: MediaChange = {},
): Promise<StoredFile> {
  const type = pixels ? typeOfExtension('svg')! : await typeOf(ctx, file);
  if (isVisual && type.kind !== 'IMAGE' && type.kind !== 'VIDEO')
    throw new BadFile('UNSUPPORTED_TYPE', `is of type ${type.mimeType}. Use an image or a video.`);
  const known = await findKnown(ctx, file.hash);
  if (known) {
    await rm(file.path, { force: true });
    return known;
  }
  const id = newId('media');
  const row: MediaRow = {
    businessId: ctx.businessId,
    id,
    stem: stemOf(file.hash, id),
    hash: file.hash,
    ...type,
    fileName,
    size: file.bytes,
    details: { ...pixels, files: [], focalPoint: CENTER, title: '', alt: {}, ...metadata },
    version: 1,
    createdBy,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  if (type.kind === 'IMAGE' && !pixels) return storeImage(ctx, file, row);
  await putPublic(ctx, row, `${row.stem}.${row.extension}`, file.path, type.mimeType);
  return row;
}

/** Throws `BadFile` for types that are not accepted. */
export async function typeOf(
  { businessId, signal }: Steps,
  { head, bytes }: Pick<Spooled, 'head' | 'bytes'>,
): Promise<FileType> {
  if (bytes === 0) throw new BadFile('EMPTY', 'is empty.');
  const type = await detectInThread(businessId, head, signal).catch((error) => {
    throw signal.aborted ? unavailable('The upload was interrupted. Try again.') : error;
  });
  if (!('refused' in type)) return type;
  const isHeic = /hei[cf]/.test(type.refused);
  throw new BadFile('UNSUPPORTED_TYPE', isHeic ? HEIC : `is of an unsupported type: ${type.refused}.`);
}

async function storeImage(ctx: Steps, file: Spooled, row: MediaRow): Promise<MediaRow> {
  const folder = await inStore(orUnavailable(mkdtemp(join(ctx.media.temporaryFolder, 'image-'))));
  try {
    const made = await makeImage(ctx, {
      path: file.path,
      mimeType: row.mimeType,
      folder,
      whole: true,
      sizes: SIZES,
      formats: ['own'],
      focalPoint: row.details.focalPoint,
    });
    const { width, height, blurhash } = made;
    row.details = {
      ...row.details,
      width,
      height,
      ...(blurhash ? { blurhash } : {}),
      files: made.files.map(withoutPath),
    };
    await putSizes(ctx, row, made.files);
    if (row.mimeType === 'image/svg+xml') {
      await putPublic(ctx, row, `${row.stem}.svg`, file.path, row.mimeType);
    } else {
      const key = privateKey(row.businessId, row.stem, row.extension);
      await inStore(ctx.media.storage.putFile(key, file.path, { contentType: row.mimeType }));
    }
    return row;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const withoutPath = ({ size, extension, width, height, bytes }: CreatedFile): SizedFile => ({
  size,
  extension,
  width,
  height,
  bytes,
});

/** Throws `BadFile`. */
export async function makeImage(ctx: Steps, task: Parameters<Steps['media']['images']['make']>[0]) {
  try {
    const { images, animations } = ctx.media;
    return await (task.mimeType === 'image/gif' ? animations : images).make(task, ctx);
  } catch (error) {
    if (error === ctx.signal.reason) throw unavailable('The upload was interrupted. Try again.');
    if (error instanceof BadImage) throw new BadFile(error.code, error.message);
    if (error instanceof NoSpace) throw unavailable('The server has no space left for files.');
    if (error instanceof ImagesBusy) throw unavailable('Too many images are being uploaded. Try again later.');
    throw error;
  }
}

export async function putSizes(ctx: Steps, row: MediaRow, files: readonly CreatedFile[]): Promise<void> {
  for (const { size, extension, path } of files) {
    const name = sizeName(row.stem, size, row.details.focalPoint, extension);
    await putPublic(ctx, row, name, path, typeOfExtension(extension)!.mimeType);
  }
}

async function putPublic(ctx: Steps, row: MediaRow, name: string, path: string, mimeType: string): Promise<void> {
  const key = publicKey(row.businessId, name);
  await inStore(ctx.media.storage.putFile(key, path, headersOf(mimeType)));
}

export function headersOf(mimeType: string) {
  const contentDisposition = dispositionOf(mimeType);
  return { contentType: contentTypeOf(mimeType), ...(contentDisposition ? { contentDisposition } : {}) };
}

/** Converts errors from full or unreachable storage to 503 with the reason. */
export async function inStore<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageUnavailable) throw unavailable(error.message);
    if (error instanceof StorageRefused)
      throw unavailable('File storage rejected the request. Contact the operator of this service.');
    throw error;
  }
}
