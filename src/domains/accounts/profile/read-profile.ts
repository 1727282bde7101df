import type { Versioned } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { notFound } from '../../../shared/errors.ts';
import type { Query } from '../context.ts';
import { findUserRow } from './queries.ts';
import type { User } from './schemas.ts';
import { toUser } from './to-user.ts';

/** The caller's own profile. */
export async function readProfile({ quick, caller: { userId, factors } }: Query): Promise<Versioned<User>> {
  const { record, version } = await getProfile(quick, userId);
  const requiredBy = [...factors.requiredBy].map(([businessId, from]) => ({ businessId, from }));
  return { record: { ...record, secondFactor: { methods: [...factors.methods], requiredBy } }, version };
}

export async function getProfile(db: Db, id: string): Promise<Versioned<User>> {
  const row = await findUserRow(db, id);
  if (!row) throw notFound('User');
  return { record: toUser(row), version: row.version };
}
