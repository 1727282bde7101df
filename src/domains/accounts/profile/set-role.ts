import { invalidField, notFound } from '../../../shared/errors.ts';
import { getBusiness, setRole as grantRole, requireAdmin } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { findUser, findUserSeenBy, updateVersion } from './queries.ts';
import type { SeenUser, SetRoleInput } from './schemas.ts';
import { toUserSeenBy } from './to-user.ts';

/** By an ADMIN of the business. Takes effect for the user's next call. */
export async function setRole(ctx: Command, { userId, roleId, businessId }: SetRoleInput): Promise<SeenUser> {
  await getBusiness(ctx, businessId);
  requireAdmin(ctx.caller, businessId);
  const user = await findUser(ctx.db, userId);
  if (!user) throw notFound('User');
  if (user.isGuest && roleId !== null) throw invalidField('userId', 'INVALID_VALUE', 'A guest cannot have a role.');
  await grantRole(ctx, { businessId, userId, roleId });
  await updateVersion(ctx.db, userId, ctx.now);
  return toUserSeenBy((await findUserSeenBy(ctx.db, userId, [businessId]))!, [businessId]);
}
