import { maskKey } from '../keys/api-keys.ts';
import type { SeenRow, UserRow } from './queries.ts';
import type { SeenUser, User } from './schemas.ts';

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
 * The user as the ADMINs see them for whom the row was read. Anybody can tie a stranger to a business of their own (by giving them a
 * role, say), so until that person has acted there they are an id with roles; and what belongs to the person alone stays out
 * for ever: phone numbers, addresses, keys, other businesses.
 */
export function toUserSeenBy(row: SeenRow): SeenUser {
  const user = toUser({ ...row, phoneNumbers: [], addresses: [], apiKeys: [] });
  const { id, roleIds, roles } = user;
  return row.hasActed ? user : { id, roleIds, roles };
}
