import type { Steps } from '../context.ts';
import { deleteImport, listOldImports, listOpenImports } from '../queries.ts';

const KEPT_SECONDS = 30 * 86_400;
const GRACE_SECONDS = 86_400;
const BATCH = 500;

/** Deletes old imports, and files whose import has ended or was never created. */
export async function sweepImports(ctx: Steps): Promise<void> {
  for (let found = true; found; ) {
    const old = await listOldImports(ctx.db, ctx.clock.seconds() - KEPT_SECONDS);
    for (const { businessId, id } of old) await ctx.write((tx) => deleteImport(tx, businessId, id));
    found = old.length > 0;
  }
  await sweepFiles(ctx);
}

async function sweepFiles(ctx: Steps): Promise<void> {
  const { storage } = ctx.media;
  const before = ctx.clock.seconds() - GRACE_SECONDS;
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
