/**
 * Who has acted at a business themself: ordered, subscribed, accepted an invitation or used a role. Only of them does the
 * business see a name and an e-mail; an id alone, which anybody may have read somewhere, gives nothing away.
 */
import type { EventSource } from '../../../context/index.ts';
import type { Db, Statement, Tx } from '../../../db/sql.ts';
import { newId } from '../../../shared/ids.ts';
import { hasRecord, insertActed, listActed, listPeople } from './queries.ts';

export type Acted = {
  userId: string;
  /** Of the account, confirmed: a record that the business has of this address becomes the record of this person. */
  email?: string | null;
};

type Writer = { db: Tx; businessId: string; now: number } & EventSource;
type Quick = { quick: Db; businessId: string };
type Reader = { db: Db; businessId: string };

/** This person acts here now. One statement, which changes nothing when that is known. */
export const recordCustomer = (ctx: Writer, { userId, email = null }: Acted): Statement<object[]> =>
  insertActed(ctx.db, { businessId: ctx.businessId, id: newId('cust'), userId, email, now: ctx.now }, ctx);

/** There is a record of this person, so that `recordCustomer` would change nothing. */
export const isKnownCustomer = ({ quick, businessId }: Quick, userId: string): Promise<boolean> =>
  hasRecord(quick, businessId, userId);

/** Those of `userIds` who have acted here. */
export async function hasActed({ db, businessId }: Reader, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  return new Set((await listActed(db, businessId, userIds)).map((row) => row.userId));
}

/** Those of `userIds` who are members or have acted here. */
export async function existingPeople(db: Db, businessId: string, userIds: readonly string[]): Promise<string[]> {
  return (await listPeople(db, businessId, userIds)).map((row) => row.userId);
}
