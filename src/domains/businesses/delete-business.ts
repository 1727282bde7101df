import { inTransaction, type Pool, type Tx } from '../../db/connection.ts';
import { userSubject } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { type BusinessContext, businessSubject } from './context.ts';
import { deleteBusinessRow, deleteTenantRows, listMemberIds, listTenantTables, lockBusiness } from './queries.ts';

export const CLEAR_JOB = 'clear-business';
const BATCH = 5000;

/** From the commit on every address of the business is 404; what it held is cleared away by a job. */
export async function deleteBusiness(
  { broadcast, jobs }: BusinessContext,
  tx: Tx,
  id: string,
  ifMatch: string | undefined,
): Promise<void> {
  const business = await lockBusiness(tx, id);
  if (!business) throw notFound('Business');
  checkIfMatch(ifMatch, business.version);
  const members = await listMemberIds(tx, id);
  await deleteBusinessRow(tx, id);
  await jobs.enqueue(tx, CLEAR_JOB, { businessId: id });
  await broadcast.publish(tx, businessSubject(id));
  for (const userId of members) await broadcast.publish(tx, userSubject(userId));
}

/** Deletes what a deleted business has left, in small pieces. Safe to repeat. */
export async function clearBusiness(pool: Pool, businessId: string, signal: AbortSignal): Promise<void> {
  for (const { name } of await listTenantTables(pool)) {
    for (let deleted = BATCH; deleted === BATCH; ) {
      if (signal.aborted) throw new Error('The process is stopping: the rest is cleared at the next try.');
      deleted = await inTransaction(pool, (tx) => deleteTenantRows(tx, name, businessId, BATCH));
    }
  }
}
