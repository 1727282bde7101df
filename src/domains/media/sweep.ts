/**
 * Finds objects without a row and rows without an object. An object loses its row when a process crashes between the writes to
 * storage and database, or when a business is deleted. A row loses its object when someone deletes files from storage. Objects
 * younger than a day are skipped: their rows may not be written yet.
 */
import type { Storage } from '../../providers/storage/port.ts';
import type { Steps } from './context.ts';
import { mainKeyOf, ownerOf } from './delivery/names.ts';
import { deleteParts } from './large-uploads/parts.ts';
import { deleteUploadRow, existingUploads, listStaleUploads, lockUpload } from './large-uploads/queries.ts';
import { addUsage, existingStems, listAllMedia, markMissing } from './queries.ts';

export const SWEEP = 'media-sweep';
const GRACE_SECONDS = 86_400;
const BATCH = 500;

export async function sweep(ctx: Steps): Promise<void> {
  const before = ctx.now - GRACE_SECONDS;
  await ctx.media.storage.deleteTemporaryFiles(before);
  await ctx.media.localDisk?.deleteTemporaryFiles(before);
  await deleteStaleUploads(ctx, before);
  for (const folder of ['public/', 'private/', 'uploads/']) await deleteOrphans(ctx, folder, before);
  await markMissingItems(ctx);
}

/** Deletes large uploads that were never completed, and old completed ones. */
async function deleteStaleUploads(ctx: Steps, before: number): Promise<void> {
  for (let found = BATCH; found === BATCH; ) {
    const stale = await listStaleUploads(ctx.db, before, BATCH);
    found = stale.length;
    for (const { businessId, id } of stale) {
      const upload = await ctx.within(businessId).transaction(async (tx) => {
        const row = await lockUpload(tx.db, businessId, id);
        if (!row || row.status === 'CHECKING') return null;
        await deleteUploadRow(tx.db, businessId, id);
        if (row.status === 'UPLOADING') await addUsage(tx.db, businessId, -row.size, ctx.config.mediaQuotaBytes);
        return row;
      });
      if (upload) await deleteParts(ctx, upload);
    }
  }
}

/** Deletes the objects of a deleted business. Its rows are already deleted, and nothing can be added. */
export async function deleteFilesOf(storage: Storage, businessId: string, signal: AbortSignal): Promise<void> {
  for (const folder of ['public', 'private', 'uploads']) {
    const keys: string[] = [];
    for await (const { key } of storage.list(`${folder}/${businessId}/`)) {
      signal.throwIfAborted();
      keys.push(key);
      if (keys.length === BATCH) await storage.delete(keys.splice(0));
    }
    await storage.delete(keys);
  }
}

type Found = { key: string; businessId: string; owner: string };

async function deleteOrphans(ctx: Steps, folder: string, before: number): Promise<void> {
  const exists = folder === 'uploads/' ? existingUploads : existingStems;
  let batch: Found[] = [];
  const flush = async () => {
    for (const [businessId, found] of Map.groupBy(batch, (each) => each.businessId)) {
      const owners = [...new Set(found.map(({ owner }) => owner))];
      const known = new Set(await exists(ctx.db, businessId, owners));
      const orphans = found.filter(({ owner }) => !known.has(owner)).map(({ key }) => key);
      if (orphans.length > 0) ctx.log.info({ businessId, count: orphans.length }, 'Deleted orphaned files');
      await ctx.media.storage.delete(orphans);
    }
    batch = [];
  };
  for await (const { key, modifiedAtSeconds } of ctx.media.storage.list(folder)) {
    if (ctx.signal.aborted) return;
    const owner = folder === 'uploads/' ? uploadOf(key) : stemIn(key);
    if (owner && modifiedAtSeconds < before) batch.push({ key, ...owner });
    if (batch.length === BATCH) await flush();
  }
  await flush();
}

function stemIn(key: string) {
  const found = ownerOf(key);
  return found && { businessId: found.businessId, owner: found.stem };
}

function uploadOf(key: string) {
  const [, businessId, owner] = /^uploads\/([^/]+)\/([^/]+)\//.exec(key) ?? [];
  return businessId === undefined ? null : { businessId, owner: owner! };
}

/** Marks items whose object is missing from storage, and clears the mark when it is back. */
async function markMissingItems(ctx: Steps): Promise<void> {
  let after: readonly [string, string] = ['', ''];
  for (let found = BATCH; found === BATCH; ) {
    const rows = await listAllMedia(ctx.db, after, BATCH);
    found = rows.length;
    for (const row of rows) {
      if (ctx.signal.aborted) return;
      const { businessId, id, isMissing } = row;
      const isAbsent = (await ctx.media.storage.findSize(mainKeyOf(row))) === null;
      if (isAbsent) ctx.log.error({ businessId, mediaId: id }, 'Media file missing from storage');
      if (isAbsent !== isMissing) await ctx.write((tx) => markMissing(tx, businessId, id, isAbsent));
      after = [businessId, id];
    }
  }
}
