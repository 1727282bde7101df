import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '../../shared/ids.ts';
import type { Command, Steps } from './context.ts';
import { DELETE_FILES } from './delete-media.ts';
import { MAKE_FORMATS } from './make-formats.ts';
import { keysOf, partKey, publicKey, stemOf, wholeKey } from './names.ts';
import { deleteParts, numbersOf } from './parts.ts';
import { addUsage, findMediaByHash, insertMedia } from './queries.ts';
import { type Measured, measure, spool } from './spool.ts';
import { BadFile, CENTRE, findKnown, headersOf, type StoredFile, storeFile, typeOf } from './store-file.ts';
import { tellMedia } from './tell.ts';
import type { FileType } from './types.ts';
import {
  claimStoppedUploads,
  findUpload,
  lockUpload,
  touchUpload,
  type UploadRow,
  updateUpload,
} from './upload-queries.ts';

export const CHECK_UPLOAD = 'media-check';
/** Takes over checks whose process has died, long before the queue would call their jobs lost. */
export const RESUME_CHECKS = 'media-resume';
const ALIVE_MS = 10_000;
const STOPPED_SECONDS = 45;
/** A larger image would take too long to decode. */
const MAX_IMAGE_BYTES = 104_857_600;

/**
 * Puts the parts together, looks at what they are, and makes the file an item. Every step may be repeated: a process that dies
 * in between leaves the parts where they are, and the job begins anew.
 */
export async function checkUpload(ctx: Steps, { uploadId }: { uploadId: string }): Promise<void> {
  const upload = await findUpload(ctx.db, ctx.businessId, uploadId);
  if (upload?.status !== 'CHECKING') return;
  const alive = setInterval(() => {
    ctx.write((tx) => touchUpload(tx, ctx.businessId, uploadId, ctx.clock.seconds())).catch(() => {});
  }, ALIVE_MS);
  try {
    await check(ctx, upload);
  } finally {
    clearInterval(alive);
  }
}

export async function resumeChecks(ctx: Steps): Promise<void> {
  const stopped = await ctx.write((tx) => claimStoppedUploads(tx, ctx.now - STOPPED_SECONDS, ctx.now));
  for (const { businessId, id } of stopped) {
    await ctx.within(businessId).transaction((tx) => tx.enqueue(CHECK_UPLOAD, { businessId, uploadId: id }));
  }
}

async function check(ctx: Steps, upload: UploadRow): Promise<void> {
  const { storage } = ctx.media;
  const whole = wholeKey(upload.businessId, upload.id);
  if ((await storage.findSize(whole)) !== upload.size) {
    const keys = numbersOf(upload).map((number) => partKey(upload.businessId, upload.id, number));
    await storage.concat(keys, whole);
  }
  try {
    const measured = await measureWhole(ctx, whole, upload.size);
    const type = await typeOf(measured);
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
  if (!found) throw new Error('The parts of an upload are gone.');
  return Buffer.isBuffer(found.body) ? Readable.from([found.body]) : found.body;
}

/** An image goes the way of all images; everything else is moved where it is served from, without coming by again. */
async function store(ctx: Steps, upload: UploadRow, measured: Measured, type: FileType): Promise<StoredFile> {
  const key = wholeKey(upload.businessId, upload.id);
  const { fileName, createdBy } = upload;
  if (type.kind === 'IMAGE') {
    if (measured.bytes > MAX_IMAGE_BYTES) throw new BadFile('TOO_LARGE', 'is an image of more than 100 MiB.');
    const file = await spool(ctx.media.scraps, await read(ctx, key), MAX_IMAGE_BYTES);
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
    details: { files: [], focalPoint: CENTRE, title: '', alt: {} },
    version: 1,
    createdBy,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

/** The bytes were counted when the upload began: what is in the library already, or cannot be taken, is given back. */
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
    if (mediaId === null) throw new Error('The same file was deleted from the library meanwhile: the job begins anew.');
    if (!isNew && mediaId !== row.id) await ctx.enqueue(DELETE_FILES, { businessId, keys: keysOf(row) });
    if (isNew) await tellMedia(ctx, 'media.created', row);
    if (isNew && row.details.files.length > 1) await ctx.enqueue(MAKE_FORMATS, { businessId, mediaId: row.id });
  }
  const problem = 'problem' in outcome ? outcome.problem : null;
  const status = problem === null ? 'DONE' : 'FAILED';
  await updateUpload(tx, { ...upload, status, mediaId, problem, updatedAt: ctx.now });
  if (!isNew) await addUsage(tx, businessId, -upload.size, ctx.config.mediaQuotaBytes);
}
