import { deleteExpiredLoginCodes } from './codes/queries.ts';
import type { Command } from './context.ts';
import { deleteExpiredChallenges } from './factors/queries.ts';
import { deleteExpiredFlows } from './oauth/flow-queries.ts';
import { deleteExpiredRegistrations } from './passwords/registrations.ts';
import { deleteExpiredPhoneCodes } from './phone/queries.ts';
import { deleteExpiredSessions } from './sessions/queries.ts';

/** Deletes expired sessions, codes, OAuth flows and registrations. */
export async function deleteExpired({ db: tx, now }: Command): Promise<void> {
  await deleteExpiredSessions(tx, now);
  await deleteExpiredPhoneCodes(tx, now);
  await deleteExpiredLoginCodes(tx, now);
  await deleteExpiredFlows(tx, now);
  await deleteExpiredRegistrations(tx, now);
  await deleteExpiredChallenges(tx, now);
}
