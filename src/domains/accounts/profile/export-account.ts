import Type, { type Static } from 'typebox';
import { BusinessId, Nullable, Timestamp } from '../../../shared/schemas.ts';
import type { Query } from '../context.ts';
import { readFactors } from '../factors/read-factors.ts';
import { Factors } from '../factors/schemas.ts';
import { listSessionRows } from '../sessions/queries.ts';
import { Session } from '../sessions/schemas.ts';
import { listIdentities, listScimRecords } from './delete-queries.ts';
import { getProfile } from './read-profile.ts';
import { User } from './schemas.ts';

const MAX_SESSIONS = 1000;

export const ExportedAccount = Type.Object({
  user: User,
  identities: Type.Array(Type.Object({ issuer: Type.String(), subject: Type.String(), createdAt: Timestamp })),
  sessions: Type.Array(
    Type.Pick(Session, ['id', 'provider', 'device', 'address', 'createdAt', 'lastUsedAt', 'expiresAt']),
  ),
  scim: Type.Array(
    Type.Object({
      businessId: BusinessId,
      userName: Type.String(),
      externalId: Nullable(Type.String()),
      givenName: Type.String(),
      familyName: Type.String(),
      isActive: Type.Boolean(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    }),
  ),
  factors: Factors,
});
export type ExportedAccount = Static<typeof ExportedAccount>;

/** Exports all data of the account except its events. */
export async function exportAccount(ctx: Query): Promise<ExportedAccount> {
  const { db, now, caller } = ctx;
  const { userId } = caller;
  const { record: user } = await getProfile(db, userId);
  const sessions = await listSessionRows(db, userId, now, null, MAX_SESSIONS);
  const [identities, scim] = [await listIdentities(db, userId), await listScimRecords(db, userId)];
  return { user, identities, sessions, scim, factors: await readFactors(ctx) };
}
