import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import type { StepsOf } from '../../context/index.ts';
import { CallFailed, Refused } from '../../providers/outbound/index.ts';
import { conflict, type FieldError, invalid, invalidField, ServiceError } from '../../shared/errors.ts';
import type { Command, MediaServices, Steps } from './context.ts';
import { DELETE_FILES } from './delete-media.ts';
import { toItem } from './item.ts';
import { MAKE_FORMATS } from './make-formats.ts';
import { cleanFileName, keysOf } from './names.ts';
import { addUsage, existingStems, findMediaByHash, findUsage, insertMedia, type MediaRow } from './queries.ts';
import type { MediaChange, Uploaded } from './schemas.ts';
import { mebibytes, type Spooled, spool } from './spool.ts';
import { BadFile, inStore, type StoredFile, storeFile } from './store-file.ts';
import { tellMedia } from './tell.ts';

const MAX_REDIRECTS = 5;
const FETCH_MS = 30_000;
const FETCH_BODY_MS = 120_000;

/** A file that has arrived, or an address to fetch it from. */
export type UploadSource =
  | { file: Spooled; fileName: string | undefined }
  | { url: string; fileName?: string | undefined };

/** Takes what a form holds, one after the other, before anything is looked at. */
export const receiveFile = (ctx: Steps, body: Readable): Promise<Spooled> =>
  inStore(spool(ctx.media.scraps, body, ctx.config.mediaMaxUploadBytes));

/** `stored` is filled on the way, for `forget`. */
export type Upload = { sources: readonly UploadSource[]; stored: StoredFile[] };

/** All files become media, or none does, and every one that is wrong is named. */
export const uploadFiles: StepsOf<MediaServices, Upload, StoredFile[], Uploaded, Uploaded> = {
  async prepare(ctx, { sources, stored }) {
    if (sources.length === 0)
      throw invalidField('files', 'REQUIRED', 'files is required: a file, or an address of one.');
    const used = await findUsage(ctx.db, ctx.businessId);
    const arrived = sources.reduce((sum, source) => sum + ('file' in source ? source.file.bytes : 0), 0);
    if (used >= ctx.config.mediaQuotaBytes || arrived > ctx.config.mediaQuotaBytes) throw quotaExceeded(ctx);
    const errors: FieldError[] = [];
    for (const [i, source] of sources.entries()) {
      const field = sources.length === 1 ? 'files' : `files[${i}]`;
      try {
        stored.push(await storeSource(ctx, source, ctx.caller.userId));
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        errors.push(error.at(field));
      }
    }
    if (errors.length > 0) throw invalid(errors);
    return stored;
  },
  async execute(ctx, _upload, rows) {
    const items = [];
    for (const row of rows) items.push(toItem(await addMedia(ctx, row), ctx.media.baseUrl()));
    return { items };
  },
};

/** Takes what was stored in vain out of the store again. Only for after a transaction that surely did not commit. */
export async function forget(ctx: Steps, rows: readonly MediaRow[]): Promise<void> {
  const known = new Set(
    await existingStems(
      ctx.db,
      ctx.businessId,
      rows.map(({ stem }) => stem),
    ),
  );
  await inStore(ctx.media.storage.delete(rows.filter(({ stem }) => !known.has(stem)).flatMap(keysOf)));
}

/**
 * One address, for other domains: the item it became. One that was in the library stays as it is. Its name is the last part of the
 * address unless another one is given. Raises `BadFile`.
 */
export async function uploadByUrl(
  ctx: Steps,
  url: string,
  { createdBy, fileName, ...about }: { createdBy: string | null; fileName?: string } & MediaChange,
): Promise<MediaRow> {
  const row = await storeSource(ctx, { url, fileName }, createdBy, about);
  return ctx.transaction((tx) => addMedia(tx, row));
}

/** A drawing that comes with the service, put into the store; its row is for the caller to write with `addMedia`. */
export async function storeDrawing(
  ctx: Steps,
  path: string,
  pixels: { width: number; height: number },
): Promise<MediaRow> {
  const file = await receiveFile(ctx, createReadStream(path));
  try {
    return await storeFile(ctx, file, { fileName: basename(path), createdBy: ctx.caller.userId, pixels });
  } finally {
    await rm(file.path, { force: true });
  }
}

async function storeSource(
  ctx: Steps,
  source: UploadSource,
  createdBy: string | null,
  about?: MediaChange,
): Promise<StoredFile> {
  const { file, fileName } = 'url' in source ? await fetchFile(ctx, source.url) : source;
  try {
    return await storeFile(ctx, file, { fileName: cleanFileName(source.fileName || fileName), createdBy }, about);
  } finally {
    await rm(file.path, { force: true });
  }
}

/** Writes the row of a file that is in the store. Of two uploads of one content the first counts. */
export async function addMedia(ctx: Command, { isKnown, ...row }: StoredFile): Promise<MediaRow> {
  const { db: tx, businessId } = ctx;
  if (isKnown || !(await insertMedia(tx, row))) {
    const first = await findMediaByHash(tx, businessId, row.hash);
    if (!first) throw conflict(`${row.fileName} was deleted while it was being uploaded. Send it again.`);
    if (first.id !== row.id) await ctx.enqueue(DELETE_FILES, { businessId, keys: keysOf(row) });
    return first;
  }
  if (row.details.files.some(({ size }) => size !== 'original')) {
    await ctx.enqueue(MAKE_FORMATS, { businessId, mediaId: row.id });
  }
  if (!(await addUsage(tx, businessId, row.size, ctx.config.mediaQuotaBytes))) throw quotaExceeded(ctx);
  await tellMedia(ctx, 'media.created', row);
  return row;
}

export const quotaExceeded = ({ config }: Pick<Steps, 'config'>) =>
  invalidField(
    'files',
    'QUOTA_EXCEEDED',
    `This business may store ${mebibytes(config.mediaQuotaBytes)} MiB of media. Delete some, or ask for more.`,
  );

async function fetchFile(ctx: Steps, url: string): Promise<{ file: Spooled; fileName: string }> {
  try {
    const answer = await ctx.media.outbound.call(url, {
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Souk' },
      maxRedirects: MAX_REDIRECTS,
      timeoutMs: FETCH_MS,
    });
    if (answer.status !== 200) {
      answer.body.destroy();
      throw new BadFile('UNREACHABLE', `cannot be fetched: the server answered ${answer.status}.`);
    }
    const late = setTimeout(() => answer.body.destroy(new CallFailed('it takes too long')), FETCH_BODY_MS);
    try {
      return { file: await receiveFile(ctx, answer.body), fileName: nameIn(answer.url) };
    } finally {
      clearTimeout(late);
    }
  } catch (error) {
    if (error instanceof Refused)
      throw new BadFile('INVALID_URL', `is not an address that is called: ${error.message}.`);
    if (error instanceof CallFailed) throw new BadFile('UNREACHABLE', `cannot be fetched: ${error.message}.`);
    if (error instanceof ServiceError && error.kind === 'PAYLOAD_TOO_LARGE')
      throw new BadFile('TOO_LARGE', `is too large. ${error.message}`);
    if (error instanceof ServiceError || error instanceof BadFile) throw error;
    throw new BadFile('UNREACHABLE', 'cannot be fetched: the connection broke.');
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
