import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BadImage, ImagesBusy, type MadeFile, NoSpace, SIZES } from '../../providers/images/port.ts';
import { orAway, StorageAway, StorageRefused } from '../../providers/storage/port.ts';
import { type FieldError, unavailable } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Steps } from './context.ts';
import { privateKey, publicKey, sizeName, stemOf } from './names.ts';
import { findMediaByHash, type MediaRow, type SizedFile } from './queries.ts';
import type { MediaChange } from './schemas.ts';
import type { Spooled } from './spool.ts';
import { contentTypeOf, detectType, dispositionOf, type FileType, typeOfExtension } from './types.ts';

export const CENTRE = { x: 0.5, y: 0.5 };
const IMAGE_MS = 40_000;

/** The file cannot be taken. Its field is named by whoever knows where it stood. */
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

/** A file on its way to its row. `isKnown`: it is in the library already; if it is deleted meanwhile, so are its objects. */
export type StoredFile = MediaRow & { isKnown?: true };

export async function findKnown(ctx: Steps, hash: string): Promise<StoredFile | null> {
  const row = await findMediaByHash(ctx.db, ctx.businessId, hash);
  return row && { ...row, isKnown: true };
}

/** `pixels`: of a drawing of our own, which need not be decoded. */
type NewFile = { fileName: string; createdBy: string | null; pixels?: { width: number; height: number } };

/**
 * Looks at what the file is, makes the sizes of an image and puts everything into the store. What is returned is not written
 * yet: until its row is, nobody knows the names of the objects, and a sweep removes them if that never happens. A file that is
 * in the library already is returned as it is there.
 */
export async function storeFile(
  ctx: Steps,
  file: Spooled,
  { fileName, createdBy, pixels }: NewFile,
  about: MediaChange = {},
): Promise<StoredFile> {
  const type = await typeOf(file);
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
    details: { ...pixels, files: [], focalPoint: CENTRE, title: '', alt: {}, ...about },
    version: 1,
    createdBy,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  if (type.kind === 'IMAGE' && !pixels) return storeImage(ctx, file, row);
  await putPublic(ctx, row, `${row.stem}.${row.extension}`, file.path, type.mimeType);
  return row;
}

/** Raises `BadFile` when files of its type are not taken. */
export async function typeOf({ head, bytes }: Pick<Spooled, 'head' | 'bytes'>): Promise<FileType> {
  if (bytes === 0) throw new BadFile('EMPTY', 'is empty.');
  const type = await detectType(head);
  if (!('refused' in type)) return type;
  const hint = /hei[cf]/.test(type.refused) ? ' Save it as JPEG first.' : '';
  throw new BadFile('UNSUPPORTED_TYPE', `is not of a type that is accepted: its content is ${type.refused}.${hint}`);
}

async function storeImage(ctx: Steps, file: Spooled, row: MediaRow): Promise<MediaRow> {
  const folder = await inStore(orAway(mkdtemp(join(ctx.media.scraps, 'image-'))));
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
    row.details = { ...row.details, width, height, ...(blurhash ? { blurhash } : {}), files: made.files.map(sized) };
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

export const sized = ({ size, extension, width, height, bytes }: MadeFile): SizedFile => ({
  size,
  extension,
  width,
  height,
  bytes,
});

/** Raises `BadFile`. */
export async function makeImage(ctx: Steps, task: Parameters<Steps['media']['images']['make']>[0]) {
  try {
    return await ctx.media.images.make(task, IMAGE_MS);
  } catch (error) {
    if (error instanceof BadImage) throw new BadFile(error.code, error.message);
    if (error instanceof NoSpace) throw unavailable('There is no space left for files.');
    if (error instanceof ImagesBusy) throw unavailable('Too many images are being uploaded. Try again soon.');
    throw error;
  }
}

export async function putSizes(ctx: Steps, row: MediaRow, files: readonly MadeFile[]): Promise<void> {
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

/** A store that is full or away is 503, with what is the matter. */
export async function inStore<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageAway) throw unavailable(error.message);
    if (error instanceof StorageRefused) throw unavailable('The file store refuses the service: tell its operator.');
    throw error;
  }
}
