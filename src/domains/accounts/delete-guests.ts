import type { Db } from '../../db/sql.ts';
import type { Command, Steps } from './context.ts';
import { deleteUsers, lockOldGuests, updateKept } from './profile/guest-queries.ts';

export const DELETE_GUESTS_JOB = 'delete-guests';

const BATCH = 1000;
const DAY_SECONDS = 86_400;

/** Returns the users who own records in another domain, such as orders or subscriptions. */
export type FindOwners = (db: Db, userIds: string[]) => Promise<string[]>;

/** A job. Shops log in every visitor as a guest, so guests without records are deleted after `guestsKeptDays` days. */
export async function deleteGuests(ctx: Steps): Promise<void> {
  while (!ctx.signal.aborted) {
    const found = await ctx.transaction(deleteBatch);
    if (found < BATCH) return;
  }
}

/** Returns the number of guests in the batch, whether deleted or kept. */
async function deleteBatch({ db: tx, now, accounts, config }: Command): Promise<number> {
  const ids = await lockOldGuests(tx, now - config.guestsKeptDays * DAY_SECONDS, BATCH);
  if (ids.length === 0) return 0;
  const owners = new Set<string>();
  for (const findOwners of accounts.owners) for (const id of await findOwners(tx, ids)) owners.add(id);
  await updateKept(tx, [...owners]);
  await deleteUsers(
    tx,
    ids.filter((id) => !owners.has(id)),
  );
  return ids.length;
}
