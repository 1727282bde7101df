import { completeAddress } from '../../../shared/schemas.ts';
import type { ApiToken } from '../keys/schemas.ts';
import type { SeenRow, UserRow } from './queries.ts';
import type { SeenUser, User } from './schemas.ts';

/** The user's own view of their record. */
export function toUser(row: UserRow, apiTokens: ApiToken[] = []): User {
  const { roles, phoneNumbers, addresses, businessUserConfigs } = row;
  const pendingRoleIds = roles.filter(({ pending }) => pending).map(({ id }) => id);
  return {
    id: row.id,
    name: row.name,
    ...(row.email === null ? {} : { email: row.email }),
    isConfirmed: row.isConfirmed,
    phoneNumbers,
    addresses: addresses.map(completeAddress),
    roleIds: roles.map((role) => role.id),
    roles: roles.map(({ pending: _, ...role }) => role),
    ...(pendingRoleIds.length > 0 ? { pendingRoleIds } : {}),
    apiTokens,
    businessUserConfigs: businessUserConfigs as User['businessUserConfigs'],
    lifecycle: {
      ...(row.lastLoginAt === null ? {} : { lastLoginAt: row.lastLoginAt }),
      onboardingCompleted: row.onboardingCompleted,
    },
  };
}

/** The fields that are visible to a business, too. Phone numbers, addresses and API keys are not. */
export const sharedPart = (user: User): User => ({
  id: user.id,
  name: user.name,
  ...(user.email === undefined ? {} : { email: user.email }),
  isConfirmed: user.isConfirmed,
  phoneNumbers: [],
  addresses: [],
  roleIds: user.roleIds,
  roles: user.roles,
  apiTokens: [],
  businessUserConfigs: user.businessUserConfigs,
  lifecycle: user.lifecycle,
});

/**
 * The user as an ADMIN sees them. Anyone can add a stranger to their own business, for example by giving them a role, so until
 * the user has interacted with the business, only the ID and roles are visible. The row contains no data of other businesses.
 */
export function toUserSeenBy(row: SeenRow): SeenUser {
  const user = toUser({ ...row, phoneNumbers: [], addresses: [] });
  const { id, roleIds, roles } = user;
  return row.hasActed ? sharedPart(user) : { id, roleIds, roles };
}
