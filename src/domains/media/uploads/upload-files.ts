import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { CallFailed, Refused } from '../../../providers/outbound/index.ts';
import { conflict, type FieldError, invalid, invalidField, ServiceError } from '../../../shared/errors.ts';
import { type Command, command, type Steps } from '../context.ts';
import { MAKE_FORMATS } from '../delivery/make-formats.ts';
import { cleanFileName, keysOf } from '../delivery/names.ts';
import { emitMedia } from '../emit-media.ts';
import { toItem } from '../item.ts';
import { DELETE_FILES } from '../library/delete-media.ts';
import { addUsage, existingStems, findMediaByHash, findUsage, insertMedia, type MediaRow } from '../queries.ts';
import type { MediaChange, Uploaded } from '../schemas.ts';
import { mebibytes, type Spooled, spool } from './spool.ts';
import { BadFile, inStore, putSizes, type StoredFile, storeFile, withoutPath } from './store-file.ts';

const MAX_REDIRECTS = 5;
const FETCH_MS = 30_000;
const FETCH_BODY_MS = 120_000;

/** A received file, or a URL to fetch it from. */
export type UploadSource =
  | { file: Spooled; fileName: string | undefined }
  | { url: string; fileName?: string | undefined };

/** Spools a file of a form to disk before it is checked. */
export const receiveFile = (ctx: Steps, body: Readable): Promise<Spooled> =>
  inStore(spool(ctx.media.temporaryFolder, body, ctx.config.mediaMaxUploadBytes));

/** `prepare` fills `stored` for `deleteStored`. */
export type Upload = { sources: readonly UploadSource[]; stored: StoredFile[] };

/** Adds all files to the library or none. Reports every bad file. */
export const uploadFiles = command({
  async prepare(ctx, { sources, stored }: Upload) {
    if (sources.length === 0) throw invalidField('files', 'REQUIRED', 'files must contain at least one file or URL.');
    const used = await findUsage(ctx.db, ctx.businessId);
    const receivedBytes = sources.reduce((sum, source) => sum + ('file' in source ? source.file.bytes : 0), 0);
    if (used >= ctx.config.mediaQuotaBytes || receivedBytes > ctx.config.mediaQuotaBytes) throw quotaExceeded(ctx);
    const errors: FieldError[] = [];
    for (const [i, source] of sources.entries()) {
      const field = sources.length === 1 ? 'files' : `files[${i}]`;
      try {
        stored.push(await storeSource(ctx, source, { createdBy: ctx.caller.userId }));
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        errors.push(error.at(field));
      }
    }
    if (errors.length > 0) throw invalid(errors);
    return stored;
  },
  async execute(ctx, rows): Promise<Uploaded> {
    const items = [];
    for (const row of rows) items.push(toItem(await addMedia(ctx, row), ctx.media.baseUrl()));
    return { items };
  },
});

/** Deletes stored files whose rows were not written. Call it only if the transaction can't have committed. */
export async function deleteStored(ctx: Steps, rows: readonly MediaRow[]): Promise<void> {
  const known = new Set(
    await existingStems(
      ctx.db,
      ctx.businessId,
      rows.map(({ stem }) => stem),
    ),
  );
  await inStore(ctx.media.storage.delete(rows.filter(({ stem }) => !known.has(stem)).flatMap(keysOf)));
}

/** `isVisual`: the file must be an image or a video. */
type FromUrl = { createdBy: string | null; fileName?: string; isVisual?: boolean } & MediaChange;

/**
 * Fetches a URL into the library, for other domains. A file that is already in the library is returned unchanged.
 * `fileName` defaults to the last segment of the URL. Throws `BadFile`.
 */
export async function uploadByUrl(
  ctx: Steps,
  url: string,
  { createdBy, isVisual, fileName, ...metadata }: FromUrl,
): Promise<MediaRow> {
  const row = await storeSource(ctx, { url, fileName }, { createdBy, isVisual }, metadata);
  return ctx.transaction((tx) => addMedia(tx, row));
}

type Drawing = { path: string; width: number; height: number };

/** Stores a bundled drawing with its thumbnail, a PNG file. The caller writes its row with `addMedia`. */
export async function storeDrawing(ctx: Steps, drawing: Drawing, thumbnail: Drawing): Promise<StoredFile> {
  const { path, ...pixels } = drawing;
  const [file, small] = await Promise.all([
    receiveFile(ctx, createReadStream(path)),
    receiveFile(ctx, createReadStream(thumbnail.path)),
  ]);
  try {
    const row = await storeFile(ctx, file, { fileName: basename(path), createdBy: ctx.caller.userId, pixels });
    if (row.isKnown) return row;
    const made = { ...thumbnail, size: 'thumbnail' as const, extension: 'png', bytes: small.bytes, path: small.path };
    await putSizes(ctx, row, [made]);
    return { ...row, details: { ...row.details, files: [withoutPath(made)] }, isDrawing: true };
  } finally {
    await Promise.all([file, small].map((each) => rm(each.path, { force: true })));
  }
}

async function storeSource(
  ctx: Steps,
  source: UploadSource,
  given: Pick<FromUrl, 'createdBy' | 'isVisual'>,
  metadata?: MediaChange,
): Promise<StoredFile> {
  const { file, fileName } = 'url' in source ? await fetchFile(ctx, source.url) : source;
  try {
    return await storeFile(ctx, file, { fileName: cleanFileName(source.fileName || fileName), ...given }, metadata);
  } finally {
    await rm(file.path, { force: true });
  }
}

/** Writes the row of a stored file. If two uploads have the same content, the first wins. A drawing is not converted to other formats. */
export async function addMedia(ctx: Command, { isKnown, isDrawing, ...row }: StoredFile): Promise<MediaRow> {
  const { db: tx, businessId } = ctx;
  if (isKnown || !(await insertMedia(tx, row))) {
    const first = await findMediaByHash(tx, businessId, row.hash);
    if (!first) throw conflict(`${row.fileName} was deleted while it was being uploaded. Upload it again.`);
    if (first.id !== row.id) await ctx.enqueue(DELETE_FILES, { keys: keysOf(row) });
    return first;
  }
  if (!isDrawing && row.details.files.some(({ size }) => size !== 'original')) {
    await ctx.enqueue(MAKE_FORMATS, { mediaId: row.id });
  }
  if (!(await addUsage(tx, businessId, row.size, ctx.config.mediaQuotaBytes))) throw quotaExceeded(ctx);
  emitMedia(ctx, 'media.created', row);
  return row;
}

export const quotaExceeded = ({ config }: Pick<Steps, 'config'>) =>
  invalidField(
    'files',
    'QUOTA_EXCEEDED',
    `This business can store up to ${mebibytes(config.mediaQuotaBytes)} MiB of media. Delete files, or ask the operator for more storage.`,
  );

async function fetchFile(ctx: Steps, url: string): Promise<{ file: Spooled; fileName: string }> {
  try {
    const response = await ctx.media.outbound.call(url, {
      businessId: ctx.businessId,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Souk' },
      maxRedirects: MAX_REDIRECTS,
      timeoutMs: FETCH_MS,
    });
    if (response.status !== 200) {
      response.body.destroy();
      throw new BadFile('UNREACHABLE', `could not be fetched: the server responded with ${response.status}.`);
    }
    const timer = setTimeout(() => response.body.destroy(new CallFailed('the download timed out')), FETCH_BODY_MS);
    try {
      return { file: await receiveFile(ctx, response.body), fileName: nameIn(response.url) };
    } finally {
      clearTimeout(timer);
    }
  } catch (error) {
    if (error instanceof Refused) throw new BadFile('INVALID_URL', `is not an allowed URL: ${error.message}.`);
    if (error instanceof CallFailed) throw new BadFile('UNREACHABLE', `could not be fetched: ${error.message}.`);
    if (error instanceof ServiceError && error.kind === 'PAYLOAD_TOO_LARGE')
      throw new BadFile('TOO_LARGE', `is too large. ${error.message}`);
    if (error instanceof ServiceError || error instanceof BadFile) throw error;
    throw new BadFile('UNREACHABLE', 'could not be fetched: the connection was lost.');
  }
}

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
