import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '../../../shared/ids.ts';
import type { Command, Steps } from '../context.ts';
import { MAKE_FORMATS } from '../delivery/make-formats.ts';
import { joinedKey, keysOf, partKey, publicKey, stemOf } from '../delivery/names.ts';
import { emitMedia } from '../emit-media.ts';
import { DELETE_FILES } from '../library/delete-media.ts';
import { addUsage, findMediaByHash, insertMedia } from '../queries.ts';
import type { FileType } from '../uploads/file-types.ts';
import { type Measured, measure, spool } from '../uploads/spool.ts';
import { BadFile, CENTER, findKnown, headersOf, type StoredFile, storeFile, typeOf } from '../uploads/store-file.ts';
import { deleteParts, numbersOf } from './parts.ts';
import { findUpload, lockUpload, type UploadRow, updateUpload } from './queries.ts';

export const CHECK_UPLOAD = 'media-check';
/** Larger images take too long to decode. */
const MAX_IMAGE_BYTES = 104_857_600;

/**
 * Joins the parts, detects the type and adds the file to the library. Every step is idempotent: if the process crashes, the parts are
 * kept and the task starts over.
 */
export async function checkUpload(ctx: Steps, { uploadId }: { uploadId: string }): Promise<void> {
  const upload = await findUpload(ctx.db, ctx.businessId, uploadId);
  if (upload?.status !== 'CHECKING') return;
  await check(ctx, upload);
}

async function check(ctx: Steps, upload: UploadRow): Promise<void> {
  const { storage } = ctx.media;
  const whole = joinedKey(upload.businessId, upload.id);
  if ((await storage.findSize(whole)) !== upload.size) {
    const keys = numbersOf(upload).map((number) => partKey(upload.businessId, upload.id, number));
    await storage.concat(keys, whole);
  }
  try {
    const measured = await measureWhole(ctx, whole, upload.size);
    const type = await typeOf(ctx, measured);
    const row = (await findKnown(ctx, measured.hash)) ?? (await store(ctx, upload, measured, type));
    await ctx.transaction((tx) => finish(tx, upload.id, { row }));
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    await ctx.transaction((tx) => finish(tx, upload.id, { problem: `The file ${error.message}` }));
  }
  await deleteParts(ctx, upload);
}

async function measureWhole(ctx: Steps, key: string, size: number): Promise<Measured> {
  const { stream, result } = measure(size);
  await pipeline(await read(ctx, key), stream.resume());
  return result();
}

async function read({ media }: Steps, key: string): Promise<Readable> {
  const found = await media.storage.open(key);
  if (!found) throw new Error('The parts of the upload are missing from storage');
  return Buffer.isBuffer(found.body) ? Readable.from([found.body]) : found.body;
}

/** Images are processed like those of a normal upload. Other files are moved within the store and not downloaded again. */
async function store(ctx: Steps, upload: UploadRow, measured: Measured, type: FileType): Promise<StoredFile> {
  const key = joinedKey(upload.businessId, upload.id);
  const { fileName, createdBy } = upload;
  if (type.kind === 'IMAGE') {
    if (measured.bytes > MAX_IMAGE_BYTES)
      throw new BadFile('TOO_LARGE', 'is larger than 100 MiB, the limit for images.');
    const file = await spool(ctx.media.temporaryFolder, await read(ctx, key), MAX_IMAGE_BYTES);
    try {
      return await storeFile(ctx, file, { fileName, createdBy });
    } finally {
      await rm(file.path, { force: true });
    }
  }
  const id = newId('media');
  const stem = stemOf(measured.hash, id);
  const name = `${stem}.${type.extension}`;
  await ctx.media.storage.move(key, publicKey(upload.businessId, name), headersOf(type.mimeType));
  return {
    businessId: upload.businessId,
    id,
    stem,
    hash: measured.hash,
    ...type,
    fileName,
    size: measured.bytes,
    details: { files: [], focalPoint: CENTER, title: '', alt: {} },
    version: 1,
    createdBy,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

/** The upload's size counts against the quota from its start; it is subtracted if no new item was created. */
async function finish(ctx: Command, id: string, outcome: { row: StoredFile } | { problem: string }): Promise<void> {
  const { db: tx, businessId } = ctx;
  const upload = await lockUpload(tx, businessId, id);
  if (upload?.status !== 'CHECKING') return;
  let mediaId: string | null = null;
  let isNew = false;
  if ('row' in outcome) {
    const { isKnown, ...row } = outcome.row;
    isNew = !isKnown && (await insertMedia(tx, row));
    mediaId = isNew ? row.id : ((await findMediaByHash(tx, businessId, row.hash))?.id ?? null);
    if (mediaId === null)
      throw new Error('The same file was deleted from the library during the check. The task starts over.');
    if (!isNew && mediaId !== row.id) await ctx.enqueue(DELETE_FILES, { keys: keysOf(row) });
    if (isNew) emitMedia(ctx, 'media.created', row);
    if (isNew && row.details.files.length > 1) await ctx.enqueue(MAKE_FORMATS, { mediaId: row.id });
  }
  const problem = 'problem' in outcome ? outcome.problem : null;
  const status = problem === null ? 'DONE' : 'FAILED';
  await updateUpload(tx, { ...upload, status, mediaId, problem, updatedAt: ctx.now });
  if (!isNew) await addUsage(tx, businessId, -upload.size, ctx.config.mediaQuotaBytes);
}
