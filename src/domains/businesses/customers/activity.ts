/**
 * People who have **acted** at a business: they ordered, subscribed, accepted an invitation or used a role. The business sees
 * the name and email only of those people, so knowing a user ID is not enough to learn who someone is.
 */
import type { EventSource } from '../../../context/index.ts';
import type { Db, Statement, Tx } from '../../../db/sql.ts';
import { newId } from '../../../shared/ids.ts';
import { type Account, hasRecord, linkOrInsertCustomer, listPeople, listUsersWithActivity } from './queries.ts';

/** The name and email that a guest entered. The email is not verified. */
type Typed = { name?: string | null; email?: string | null };

type Writer = { db: Tx; businessId: string; now: number } & Pick<EventSource, 'eventCause'>;
type Quick = { quick: Db; businessId: string };
type Reader = { db: Db; businessId: string };

/**
 * Records that the account has acted here. A single statement, which does nothing if the record exists. A record with the confirmed
 * email of the account is linked to it.
 */
export function recordCustomer(ctx: Writer, account: Account, { name, email }: Typed = {}): Statement<object[]> {
  const { businessId, now } = ctx;
  const typed = { name: name?.trim() ?? '', email: email ?? null };
  return linkOrInsertCustomer(ctx.db, { businessId, id: newId('cust'), account, typed, now }, ctx);
}

/** Whether the user already has a record here. If so, `recordCustomer` does nothing. */
export const isKnownCustomer = ({ quick, businessId }: Quick, userId: string): Promise<boolean> =>
  hasRecord(quick, businessId, userId);

/** Returns the users who have acted here. */
export async function filterUsersWithActivity(
  { db, businessId }: Reader,
  userIds: readonly string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  return new Set((await listUsersWithActivity(db, businessId, userIds)).map((row) => row.userId));
}

/** Returns the users who are members or have acted here. */
export async function existingPeople(db: Db, businessId: string, userIds: readonly string[]): Promise<string[]> {
  return (await listPeople(db, businessId, userIds)).map((row) => row.userId);
}
