/**
 * The way for large files: begin, send the parts in any order and as often as needed, complete. Parts are objects of their own
 * until the upload is complete, so that a part that comes late cannot change a file that was checked.
 */
import { PassThrough, type Readable } from 'node:stream';
import { WrongSize } from '../../providers/storage/port.ts';
import { conflict, invalid, invalidField, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { CHECK_UPLOAD } from './check-upload.ts';
import type { Command, Query, Steps } from './context.ts';
import { DELETE_FILES } from './delete-media.ts';
import { toItem } from './item.ts';
import { cleanFileName, partKey } from './names.ts';
import { countParts, keysOfUpload, numbersOf, PART_BYTES, partSize } from './parts.ts';
import { addUsage, findMedia } from './queries.ts';
import type { LargeUpload, LargeUploadInput } from './schemas.ts';
import { inStore } from './store-file.ts';
import { quotaExceeded } from './upload-files.ts';
import {
  deleteUploadRow,
  findUpload,
  insertUpload,
  lockUpload,
  type UploadRow,
  updateUpload,
} from './upload-queries.ts';

const ADDRESS_SECONDS = 6 * 3600;

export const beginUpload = {
  async execute(ctx: Command, input: LargeUploadInput): Promise<UploadRow> {
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
  // The store is not asked: a new upload has no parts, and one that is counted must be answered, or its room would be lost.
  afterCommit: (ctx: Steps, row: UploadRow): Promise<LargeUpload> => describe(ctx, row, new Map()),
};

export async function readUpload(ctx: Query, id: string): Promise<LargeUpload> {
  const upload = await getUpload(ctx, id);
  return describe(ctx, upload, upload.status === 'UPLOADING' ? await storedParts(ctx, upload) : new Map());
}

/** `size`: what the request announces. */
export async function putPart(
  ctx: Steps,
  { id, number, body, size }: { id: string; number: string; body: Readable; size: number | null },
): Promise<typeof SUCCESS> {
  const upload = await getUpload(ctx, id);
  const part = /^[1-9]\d{0,4}$/.test(number) ? Number(number) : 0;
  if (part === 0 || part > countParts(upload)) throw notFound('Part');
  if (upload.status !== 'UPLOADING') throw conflict('This upload is complete: it takes no more parts.');
  const expected = partSize(upload, part);
  if (size !== null && size !== expected) throw wrongSize(part, expected);
  try {
    await inStore(ctx.media.storage.putStream(partKey(upload.businessId, id, part), lent(body), expected));
  } catch (error) {
    throw error instanceof WrongSize ? wrongSize(part, expected) : error;
  }
  return SUCCESS;
}

/** A store that fails destroys what it reads from; the request must live on to be answered, and its rest is dropped. */
function lent(body: Readable): Readable {
  const through = new PassThrough();
  body.pipe(through);
  body.once('close', () => !body.readableEnded && through.destroy(new Error('The client went away.')));
  through.once('close', () => body.unpipe(through).resume());
  return through;
}

/** Looks for the parts first. From the commit on the upload is being checked, and takes no more of them. */
export const completeUpload = {
  async prepare(ctx: Steps, id: string): Promise<void> {
    const upload = await getUpload(ctx, id);
    if (upload.status !== 'UPLOADING') return;
    const stored = await storedParts(ctx, upload);
    const missing = numbersOf(upload).filter((number) => stored.get(number) !== partSize(upload, number));
    if (missing.length === 0) return;
    throw invalid(
      missing.slice(0, 100).map((number) => ({
        field: `parts[${number}]`,
        error: 'REQUIRED',
        message: `parts[${number}] is missing or is not ${partSize(upload, number)} bytes long.`,
      })),
    );
  },
  async execute(ctx: Command, id: string): Promise<UploadRow> {
    const upload = await lockUpload(ctx.db, ctx.businessId, id);
    if (!upload) throw notFound('Upload');
    if (upload.status !== 'UPLOADING') return upload;
    const row: UploadRow = { ...upload, status: 'CHECKING', updatedAt: ctx.now };
    await updateUpload(ctx.db, row);
    await ctx.enqueue(CHECK_UPLOAD, { businessId: ctx.businessId, uploadId: id });
    return row;
  },
  afterCommit: (ctx: Steps, row: UploadRow): Promise<LargeUpload> => describe(ctx, row, new Map()),
};

/** Forgets an upload; a job deletes its parts. What it has become stays. */
export async function cancelUpload(ctx: Command, id: string): Promise<typeof SUCCESS> {
  const { db: tx, businessId } = ctx;
  const upload = await lockUpload(tx, businessId, id);
  if (!upload) throw notFound('Upload');
  if (upload.status === 'CHECKING') throw conflict('This upload is being checked. Wait until that is done.');
  await deleteUploadRow(tx, businessId, id);
  await ctx.enqueue(DELETE_FILES, { businessId, keys: keysOfUpload(upload) });
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
    const own = `${ctx.publicUrl()}/v1/businesses/${businessId}/media/uploads/${id}/parts/${number}`;
    const direct = upload.isDirect
      ? await ctx.media.storage.presignPut(partKey(businessId, id, number), ADDRESS_SECONDS)
      : null;
    parts.push({ number, size, url: direct ?? own, isStored: stored.get(number) === size });
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
