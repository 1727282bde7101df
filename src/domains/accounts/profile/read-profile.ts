import type { Versioned } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { notFound } from '../../../shared/errors.ts';
import type { Caller } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { findUserRow } from './queries.ts';
import type { User } from './schemas.ts';
import { toUser } from './to-user.ts';

/** The caller's own profile. */
export const readProfile = async ({ quick, caller }: Query): Promise<Versioned<User>> =>
  withFactors(caller, await getProfile(quick, caller.userId));

/** Adds what the authenticator knows about the caller. */
export function withFactors({ factors }: Caller, { record, version }: Versioned<User>): Versioned<User> {
  const requiredBy = [...factors.requiredBy].map(([businessId, from]) => ({ businessId, from }));
  return { record: { ...record, secondFactor: { methods: [...factors.methods], requiredBy } }, version };
}

export async function getProfile(db: Db, id: string): Promise<Versioned<User>> {
  const row = await findUserRow(db, id);
  if (!row) throw notFound('User');
  return { record: toUser(row), version: row.version };
}
