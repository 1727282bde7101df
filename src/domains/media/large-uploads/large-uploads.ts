/**
 * Uploads of large files: create the upload, send its parts in any order, resend as needed, complete it. Parts are
 * separate objects, so a part that arrives late can't change a checked file.
 */
import type { Readable } from 'node:stream';
import { WrongSize } from '../../../providers/storage/port.ts';
import { conflict, invalid, invalidField, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { type Command, command, type Query, type Steps } from '../context.ts';
import { cleanFileName, partKey } from '../delivery/names.ts';
import { toItem } from '../item.ts';
import { DELETE_FILES } from '../library/delete-media.ts';
import { addUsage, findMedia } from '../queries.ts';
import type { LargeUpload, LargeUploadInput } from '../schemas.ts';
import { inStore } from '../uploads/store-file.ts';
import { quotaExceeded } from '../uploads/upload-files.ts';
import { CHECK_UPLOAD } from './check-upload.ts';
import { countParts, keysOfUpload, numbersOf, PART_BYTES, partSize } from './parts.ts';
import { deleteUploadRow, findUpload, insertUpload, lockUpload, type UploadRow, updateUpload } from './queries.ts';

const URL_SECONDS = 6 * 3600;

export const beginUpload = command({
  async execute(ctx, input: LargeUploadInput): Promise<UploadRow> {
    const { db: tx, businessId, now } = ctx;
    const row: UploadRow = {
      businessId,
      id: newId('upl'),
      status: 'UPLOADING',
      fileName: cleanFileName(input.fileName),
      size: input.size,
      partSize: PART_BYTES,
      isDirect: input.direct ?? true,
      mediaId: null,
      problem: null,
      createdBy: ctx.caller.userId,
      createdAt: now,
      updatedAt: now,
    };
    await insertUpload(tx, row);
    if (!(await addUsage(tx, businessId, row.size, ctx.config.mediaQuotaBytes))) throw quotaExceeded(ctx);
    return row;
  },
  // A new upload has no parts. Without a request to storage, this can't fail after the quota was charged.
  afterCommit: (ctx, row): Promise<LargeUpload> => describe(ctx, row, new Map()),
});

export async function readUpload(ctx: Query, id: string): Promise<LargeUpload> {
  const upload = await getUpload(ctx, id);
  return describe(ctx, upload, upload.status === 'UPLOADING' ? await storedParts(ctx, upload) : new Map());
}

/** `size` is the Content-Length of the request. */
export async function putPart(
  ctx: Steps,
  { id, number, body, size }: { id: string; number: string; body: Readable; size: number | null },
): Promise<typeof SUCCESS> {
  const upload = await getUpload(ctx, id);
  const part = /^[1-9]\d{0,4}$/.test(number) ? Number(number) : 0;
  if (part === 0 || part > countParts(upload)) throw notFound('Part');
  if (upload.status !== 'UPLOADING')
    throw conflict(`This upload no longer accepts parts (status ${upload.status}). Create a new upload.`);
  const expected = partSize(upload, part);
  if (size !== null && size !== expected) throw wrongSize(part, expected);
  try {
    await inStore(ctx.media.storage.putStream(partKey(upload.businessId, id, part), body, expected));
  } catch (error) {
    throw error instanceof WrongSize ? wrongSize(part, expected) : error;
  }
  return SUCCESS;
}

/**
 * Checks that all parts are stored, then starts the check of the file. After the commit, no more parts are accepted.
 */
export const completeUpload = command({
  async prepare(ctx, id: string): Promise<string> {
    const upload = await getUpload(ctx, id);
    if (upload.status !== 'UPLOADING') return id;
    const stored = await storedParts(ctx, upload);
    const missing = numbersOf(upload).filter((number) => stored.get(number) !== partSize(upload, number));
    if (missing.length === 0) return id;
    throw invalid(
      missing.slice(0, 100).map((number) => ({
        field: `parts[${number}]`,
        error: 'REQUIRED',
        message: `parts[${number}] is missing or not ${partSize(upload, number)} bytes long.`,
      })),
    );
  },
  async execute(ctx, id): Promise<UploadRow> {
    const upload = await lockUpload(ctx.db, ctx.businessId, id);
    if (!upload) throw notFound('Upload');
    if (upload.status !== 'UPLOADING') return upload;
    const row: UploadRow = { ...upload, status: 'CHECKING', updatedAt: ctx.now };
    await updateUpload(ctx.db, row);
    await ctx.enqueue(CHECK_UPLOAD, { uploadId: id });
    return row;
  },
  afterCommit: (ctx, row): Promise<LargeUpload> => describe(ctx, row, new Map()),
});

/** Deletes an upload; a job deletes its parts. The media file of a completed upload is kept. */
export async function cancelUpload(ctx: Command, id: string): Promise<typeof SUCCESS> {
  const { db: tx, businessId } = ctx;
  const upload = await lockUpload(tx, businessId, id);
  if (!upload) throw notFound('Upload');
  if (upload.status === 'CHECKING') throw conflict('This upload is being checked. Try again after the check finishes.');
  await deleteUploadRow(tx, businessId, id);
  await ctx.enqueue(DELETE_FILES, { keys: keysOfUpload(upload) });
  if (upload.status === 'UPLOADING') await addUsage(tx, businessId, -upload.size, ctx.config.mediaQuotaBytes);
  return SUCCESS;
}

async function getUpload(ctx: Query | Steps, id: string): Promise<UploadRow> {
  const row = await findUpload(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Upload');
  return row;
}

async function storedParts({ media }: Query | Steps, { businessId, id }: UploadRow): Promise<Map<number, number>> {
  const sizes = new Map<number, number>();
  const folder = `uploads/${businessId}/${id}/`;
  await inStore(
    (async () => {
      for await (const { key, size } of media.storage.list(folder)) {
        const number = /\/(\d+)$/.exec(key)?.[1];
        if (number) sizes.set(Number(number), size);
      }
    })(),
  );
  return sizes;
}

async function describe(
  ctx: Query | Steps,
  upload: UploadRow,
  stored: ReadonlyMap<number, number>,
): Promise<LargeUpload> {
  const { businessId, id, status } = upload;
  const parts = [];
  for (const number of status === 'UPLOADING' ? numbersOf(upload) : []) {
    const size = partSize(upload, number);
    const apiUrl = `${ctx.publicUrl()}/v1/businesses/${businessId}/media/uploads/${id}/parts/${number}`;
    const directUrl = upload.isDirect
      ? await ctx.media.storage.presignPut(partKey(businessId, id, number), URL_SECONDS)
      : null;
    parts.push({ number, size, url: directUrl ?? apiUrl, isStored: stored.get(number) === size });
  }
  const media = upload.mediaId === null ? null : await findMedia(ctx.db, businessId, upload.mediaId);
  return {
    id,
    status,
    fileName: upload.fileName,
    size: upload.size,
    partSize: upload.partSize,
    url: parts.find(({ isStored }) => !isStored)?.url ?? null,
    headers: { 'content-type': 'application/octet-stream' },
    parts,
    ...(media ? { media: toItem(media, ctx.media.baseUrl()) } : {}),
    ...(upload.problem === null ? {} : { problem: upload.problem }),
    createdAt: upload.createdAt,
  };
}

const wrongSize = (part: number, expected: number) =>
  invalidField(`parts[${part}]`, 'INVALID_SIZE', `parts[${part}] must be ${expected} bytes long.`);
