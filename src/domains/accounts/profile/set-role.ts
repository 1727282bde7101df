import { invalidField, notFound } from '../../../shared/errors.ts';
import { adminOf, getBusiness, getRole, setRole as grantRole, requireAdmin } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { findUser, findUserSeenBy, updateVersion } from './queries.ts';
import type { SeenUser, SetRoleInput } from './schemas.ts';
import { toUserSeenBy } from './to-user.ts';

/** By an ADMIN of the business. Takes effect for the user's next call. */
export async function setRole(ctx: Command, input: SetRoleInput): Promise<SeenUser> {
  const { userId, roleId } = input;
  const businessId = input.businessId ?? (await businessOf(ctx, roleId));
  await getBusiness(ctx, businessId);
  requireAdmin(ctx.caller, businessId);
  const user = await findUser(ctx.db, userId);
  if (!user) throw notFound('User');
  if (user.isGuest && roleId !== null) throw invalidField('userId', 'INVALID_VALUE', 'A guest cannot have a role.');
  const isNews = await grantRole(ctx, { businessId, userId, roleId });
  await updateVersion(ctx.db, userId, ctx.now);
  if (isNews) await ctx.emitAccount({ type: 'user.role_changed', userId, data: { businessId, roleId } });
  return toUserSeenBy((await findUserSeenBy(ctx.db, userId, [businessId]))!, [businessId]);
}

/** The role has one; to take roles away, the request must name it. */
async function businessOf({ db, caller }: Command, roleId: string | null): Promise<string> {
  if (roleId === null) throw invalidField('businessId', 'REQUIRED', 'businessId is required to take roles away.');
  return (await getRole(db, adminOf(caller), roleId)).businessId;
}
