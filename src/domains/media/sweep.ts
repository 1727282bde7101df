/**
 * Finds what belongs to nobody, in both directions. Objects without a row: a process died between the store and the database, or
 * a business was deleted. Rows without an object: somebody removed files from the store, or it lost them. Nothing young is
 * touched: its row may be about to be written.
 */
import type { Storage } from '../../providers/storage/port.ts';
import type { Steps } from './context.ts';
import { mainKeyOf, ownerOf } from './names.ts';
import { deleteParts } from './parts.ts';
import { addUsage, existingStems, listAllMedia, markMissing } from './queries.ts';
import { deleteUploadRow, existingUploads, listStaleUploads, lockUpload } from './upload-queries.ts';

export const SWEEP = 'media-sweep';
const YOUNG_SECONDS = 86_400;
const BATCH = 500;

export async function sweep(ctx: Steps): Promise<void> {
  const before = ctx.now - YOUNG_SECONDS;
  await ctx.media.storage.deleteScraps(before);
  await ctx.media.localScraps?.deleteScraps(before);
  await forgetStaleUploads(ctx, before);
  for (const folder of ['public/', 'private/', 'uploads/']) await deleteOrphans(ctx, folder, before);
  await markLost(ctx);
}

/** Uploads that nobody completed, or that are long done. */
async function forgetStaleUploads(ctx: Steps, before: number): Promise<void> {
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

/** What a deleted business has left in the store. Its rows are gone, and nothing is added any more. */
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
      if (orphans.length > 0)
        ctx.log.info({ businessId, count: orphans.length }, 'files that belong to nobody are deleted');
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

async function markLost(ctx: Steps): Promise<void> {
  let after: readonly [string, string] = ['', ''];
  for (let found = BATCH; found === BATCH; ) {
    const rows = await listAllMedia(ctx.db, after, BATCH);
    found = rows.length;
    for (const row of rows) {
      if (ctx.signal.aborted) return;
      const { businessId, id, isMissing } = row;
      const isGone = (await ctx.media.storage.findSize(mainKeyOf(row))) === null;
      if (isGone) ctx.log.error({ businessId, mediaId: id }, 'a file of the media library is not in the store');
      if (isGone !== isMissing) await ctx.write((tx) => markMissing(tx, businessId, id, isGone));
      after = [businessId, id];
    }
  }
}
