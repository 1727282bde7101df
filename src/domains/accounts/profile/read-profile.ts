import type { Versioned } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { notFound } from '../../../shared/errors.ts';
import type { Caller } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { showKeys } from '../keys/show-keys.ts';
import { findUserRow } from './queries.ts';
import type { User } from './schemas.ts';
import { sharedPart, toUser } from './to-user.ts';

/** The caller's own profile. */
export async function readProfile({ quick, caller }: Query): Promise<Versioned<User>> {
  const { record, version } = withFactors(caller, await getProfile(quick, caller.userId, ssoBusinessOf(caller)));
  return { record: withinLimits(record, caller), version };
}

/** A caller with limits sees no account data that belongs to other businesses, or to no business. Single sign-on manages the keys for its business. */
export function withinLimits(user: User, { limits }: Caller): User {
  if (!limits) return user;
  const { kind, businesses } = limits;
  const roles = user.roles.filter(({ businessId }) => businesses.has(businessId));
  return {
    ...sharedPart(user),
    ...(user.secondFactor ? { secondFactor: user.secondFactor } : {}),
    roles,
    roleIds: roles.map(({ id }) => id),
    apiTokens: kind === 'SSO' ? user.apiTokens : [],
    businessUserConfigs: user.businessUserConfigs.filter(({ businessId }) => businesses.has(businessId)),
    limits: { kind, businessIds: [...businesses] },
  };
}

/** Adds the caller's second factors, and the businesses that require one. */
export function withFactors({ factors }: Caller, { record, version }: Versioned<User>): Versioned<User> {
  const requiredBy = [...factors.requiredBy].map(([businessId, from]) => ({ businessId, from }));
  return { record: { ...record, secondFactor: { methods: [...factors.methods], requiredBy } }, version };
}

/** The business of a session from single sign-on. */
export const ssoBusinessOf = ({ limits }: Caller): string | null =>
  limits?.kind === 'SSO' ? ([...limits.businesses][0] ?? null) : null;

/** `ssoBusiness`: shows the API keys as a session from the single sign-on of this business sees them. */
export async function getProfile(db: Db, id: string, ssoBusiness: string | null = null): Promise<Versioned<User>> {
  const row = await findUserRow(db, id);
  if (!row) throw notFound('User');
  return { record: toUser(row, showKeys(row.apiKeys, { ...row, ssoBusiness })), version: row.version };
}
