import { maskKey } from '../keys/api-keys.ts';
import type { UserRow } from './queries.ts';
import type { User } from './schemas.ts';

/** The user as they see themselves. */
export function toUser(row: UserRow): User {
  const { roles, apiKeys, phoneNumbers, addresses, businessUserConfigs } = row;
  return {
    id: row.id,
    name: row.name,
    ...(row.email === null ? {} : { email: row.email }),
    isConfirmed: row.isConfirmed,
    phoneNumbers,
    addresses,
    roleIds: roles.map((role) => role.id),
    roles,
    apiTokens: apiKeys.map(({ id, name, lastFour, expiresAt, lastUsedAt }) => ({
      id,
      name,
      value: maskKey(lastFour),
      provider: 'API',
      ...(expiresAt === null ? {} : { expiresAt }),
      ...(lastUsedAt === null ? {} : { lastUsedAt }),
    })),
    businessUserConfigs: businessUserConfigs as User['businessUserConfigs'],
    lifecycle: {
      ...(row.lastLoginAt === null ? {} : { lastLoginAt: row.lastLoginAt }),
      onboardingCompleted: row.onboardingCompleted,
    },
  };
}

/**
 * The user as ADMINs of these businesses see them. Anybody can tie a stranger to a business of their own (by subscribing the
 * stranger's address, say), so what belongs to the person alone stays out: phone numbers, addresses, keys, other businesses.
 */
export function toUserSeenBy(row: UserRow, businessIds: string[]): User {
  const configs = row.businessUserConfigs.filter(({ businessId }) => businessIds.includes(businessId));
  return toUser({ ...row, phoneNumbers: [], addresses: [], apiKeys: [], businessUserConfigs: configs });
}
