import type { Query } from '../context.ts';
import { readFactors } from '../factors/read-factors.ts';
import { listSessionRows } from '../sessions/queries.ts';
import { listIdentities, listScimRecords } from './delete-queries.ts';
import { getProfile } from './read-profile.ts';

const MAX_SESSIONS = 1000;

/** Exports all data of the account except its events. */
export async function exportAccount(ctx: Query): Promise<object> {
  const { db, now, caller } = ctx;
  const { userId } = caller;
  const { record: user } = await getProfile(db, userId);
  const sessions = await listSessionRows(db, userId, now, null, MAX_SESSIONS);
  const [identities, scim] = [await listIdentities(db, userId), await listScimRecords(db, userId)];
  return { user, identities, sessions, scim, factors: await readFactors(ctx) };
}
