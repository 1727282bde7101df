import { inTransaction } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { invalidField, notFound } from '../../shared/errors.ts';
import { type Businesses, requireAdmin } from '../businesses/index.ts';
import type { AccountsContext } from './context.ts';
import type { SetRoleInput, User } from './schemas.ts';
import { findUser, findUserSeenBy, updateVersion } from './user-queries.ts';
import { toUserSeenBy } from './users.ts';

/** By an ADMIN of the business. Takes effect for the user's next call. */
export async function setRole(
  { pool, clock }: AccountsContext,
  businesses: Businesses,
  caller: Caller,
  { userId, roleId, businessId }: SetRoleInput,
): Promise<User> {
  if (!(await businesses.exists(businessId))) throw notFound('Business');
  requireAdmin(caller, businessId);
  return inTransaction(pool, async (tx) => {
    const user = await findUser(tx, userId);
    if (!user) throw notFound('User');
    if (user.isGuest && roleId !== null) throw invalidField('userId', 'INVALID_VALUE', 'A guest cannot have a role.');
    await businesses.setRole(tx, { businessId, userId, roleId });
    await updateVersion(tx, userId, clock.seconds());
    return toUserSeenBy((await findUserSeenBy(tx, userId, [businessId]))!, [businessId]);
  });
}
