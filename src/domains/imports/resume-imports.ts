/** Goes on with imports whose process died, and deletes those that ended long ago. */
import type { Steps } from './context.ts';
import { FETCH_PICTURES, RUN_IMPORT } from './jobs.ts';
import { listBusinessesWaiting } from './picture-queries.ts';
import { deleteImport, listOldImports, listOpenImports, listStalledImports } from './queries.ts';

const KEPT_SECONDS = 30 * 86_400;
const YOUNG_SECONDS = 86_400;
const BATCH = 500;

export async function resumeImports(ctx: Steps): Promise<void> {
  const now = ctx.clock.seconds();
  const [stalled, waiting] = await Promise.all([listStalledImports(ctx.db, now), listBusinessesWaiting(ctx.db)]);
  await ctx.transaction(async (tx) => {
    for (const { businessId, id } of stalled) await tx.enqueue(RUN_IMPORT, { businessId, importId: id });
    for (const { businessId } of waiting) await tx.enqueue(FETCH_PICTURES, { businessId }, { key: businessId });
  });
  for (const { businessId, id } of await listOldImports(ctx.db, now - KEPT_SECONDS)) {
    await ctx.write((tx) => deleteImport(tx, businessId, id));
  }
}

/** Deletes files whose import was never written, or has ended. */
export async function sweepFiles(ctx: Steps): Promise<void> {
  const { storage } = ctx.media;
  const before = ctx.clock.seconds() - YOUNG_SECONDS;
  let batch: { key: string; businessId: string; id: string }[] = [];
  const deleteUnneeded = async () => {
    for (const [businessId, files] of Map.groupBy(batch, (file) => file.businessId)) {
      const needed = await listOpenImports(
        ctx.db,
        businessId,
        files.map(({ id }) => id),
      );
      await storage.delete(files.filter(({ id }) => !needed.has(id)).map(({ key }) => key));
    }
    batch = [];
  };
  for await (const { key, modifiedAtSeconds } of storage.list('imports/')) {
    const [, businessId, id] = key.split('/');
    if (modifiedAtSeconds < before && businessId && id) batch.push({ key, businessId, id });
    if (batch.length >= BATCH) await deleteUnneeded();
  }
  await deleteUnneeded();
}
