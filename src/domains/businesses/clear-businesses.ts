import { deleteBusinessRow, deleteTenantRows, listDeletedBusinesses, listTenantTables } from './clear-queries.ts';
import type { Steps } from './context.ts';

export const CLEAR_BUSINESSES = 'clear-businesses';
const BATCH = 1000;

/**
 * A request or job that started before the deletion may still write rows of the business. After this time, none is running. Only then is
 * the row of the business itself deleted, because the scheduled job uses it to find deleted businesses.
 */
const GRACE_SECONDS = 3600;

/**
 * Deletes the data of deleted businesses in batches. Runs for one business after its deletion, and on a schedule for all of
 * them. It finds businesses by the deletion mark in their row, so the next run completes a killed or lost job, and never
 * touches a business without the mark.
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
    if (deletedAt <= ctx.now - GRACE_SECONDS) await ctx.write((tx) => deleteBusinessRow(tx, id));
  }
}

/** False if the file storage is unreachable. The run continues with other businesses, and the next run retries. */
async function deleteFiles(ctx: Steps, businessId: string): Promise<boolean> {
  try {
    await ctx.businesses.deleteFiles(businessId, ctx.signal);
    return true;
  } catch (error) {
    ctx.log.warn({ err: error, businessId }, 'Failed to delete the files of a deleted business');
    return false;
  }
}

async function clearTable(ctx: Steps, table: string, businessId: string): Promise<void> {
  for (let deleted = BATCH; deleted > 0; ) {
    if (ctx.signal.aborted)
      throw new Error('The process is shutting down. The next run will delete the remaining rows.');
    deleted = await ctx.write((tx) => deleteTenantRows(tx, table, businessId, BATCH));
  }
}
