import type { Versioned } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { notFound } from '../../../shared/errors.ts';
import type { Caller, CallerLimits } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { findUserRow } from './queries.ts';
import type { User } from './schemas.ts';
import { sharedPart, toUser } from './to-user.ts';

/** The caller's own profile. */
export async function readProfile({ quick, caller }: Query): Promise<Versioned<User>> {
  const { record, version } = withFactors(caller, await getProfile(quick, caller.userId));
  return { record: caller.limits ? withinLimits(record, caller.limits) : record, version };
}

/** A caller with limits sees no account data that belongs to other businesses, or to no business. */
function withinLimits(user: User, { kind, businesses }: CallerLimits): User {
  const roles = user.roles.filter(({ businessId }) => businesses.has(businessId));
  return {
    ...sharedPart(user),
    ...(user.secondFactor ? { secondFactor: user.secondFactor } : {}),
    roles,
    roleIds: roles.map(({ id }) => id),
    businessUserConfigs: user.businessUserConfigs.filter(({ businessId }) => businesses.has(businessId)),
    limits: { kind, businessIds: [...businesses] },
  };
}

/** Adds the caller's second factors, and the businesses that require one. */
export function withFactors({ factors }: Caller, { record, version }: Versioned<User>): Versioned<User> {
  const requiredBy = [...factors.requiredBy].map(([businessId, from]) => ({ businessId, from }));
  return { record: { ...record, secondFactor: { methods: [...factors.methods], requiredBy } }, version };
}

export async function getProfile(db: Db, id: string): Promise<Versioned<User>> {
  const row = await findUserRow(db, id);
  if (!row) throw notFound('User');
  return { record: toUser(row), version: row.version };
}
