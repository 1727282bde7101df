import { deleteBusinessRow, deleteTenantRows, listDeletedBusinesses, listTenantTables } from './clear-queries.ts';
import type { Steps } from './context.ts';

export const CLEAR_BUSINESSES = 'clear-businesses';
const BATCH = 1000;

/**
 * A request or job that began before the deletion may still write rows of the business afterwards. This much later none is
 * under way any more: only then the business's own row goes, which is what the schedule finds it by.
 */
const LAST_WRITES_SECONDS = 3600;

/**
 * Deletes what deleted businesses have left, in batches. Runs for one business after its deletion, and on a schedule for all
 * that are left. The mark in the business's row says what there is to do, so that a job that was killed or lost is made up
 * for by the next one, and a business that is not marked is never touched.
 */
export async function clearBusinesses(
  ctx: Steps,
  { businessId = null }: { businessId?: string | null },
): Promise<void> {
  const deleted = await listDeletedBusinesses(ctx.db, businessId);
  if (deleted.length === 0) return;
  const tables = await listTenantTables(ctx.db);
  for (const { id, deletedAt, configs } of deleted) {
    const needed = await ctx.businesses.endPayments(ctx, id, ctx.businesses.vault.secrets(id, configs));
    for (const { name } of tables) if (!needed.includes(name)) await clearTable(ctx, name, id);
    if (!(await deleteFiles(ctx, id)) || needed.length > 0) continue;
    if (deletedAt <= ctx.now - LAST_WRITES_SECONDS) await ctx.write((tx) => deleteBusinessRow(tx, id));
  }
}

/** False: the store is away. The other businesses do not wait for it, and the next run tries again. */
async function deleteFiles(ctx: Steps, businessId: string): Promise<boolean> {
  try {
    await ctx.businesses.deleteFiles(businessId, ctx.signal);
    return true;
  } catch (error) {
    ctx.log.warn({ err: error, businessId }, 'the files of a deleted business are still there');
    return false;
  }
}

async function clearTable(ctx: Steps, table: string, businessId: string): Promise<void> {
  for (let deleted = BATCH; deleted > 0; ) {
    if (ctx.signal.aborted) throw new Error('The process is stopping: the rest is deleted at the next try.');
    deleted = await ctx.write((tx) => deleteTenantRows(tx, table, businessId, BATCH));
  }
}
