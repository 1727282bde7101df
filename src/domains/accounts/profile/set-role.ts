import { invalidField, notFound } from '../../../shared/errors.ts';
import {
  adminOf,
  setRole as changeRoles,
  getBusiness,
  getRole,
  type RoleChange,
  requireAdmin,
} from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { findUser, findUserSeenBy, updateVersion } from './queries.ts';
import type { SeenUser, SetRoleInput } from './schemas.ts';
import { toUserSeenBy } from './to-user.ts';

/** By an ADMIN of the business. Takes effect for the user's next call. */
export async function setRole(ctx: Command, input: SetRoleInput): Promise<SeenUser> {
  const { userId } = input;
  const change = changeIn(input);
  const businessId = input.businessId ?? (await businessOf(ctx, change));
  await getBusiness(ctx, businessId);
  requireAdmin(ctx.caller, businessId);
  const user = await findUser(ctx.db, userId);
  if (!user) throw notFound('User');
  if (user.isGuest && namedIn(change) !== null)
    throw invalidField('userId', 'INVALID_VALUE', 'A guest cannot have a role.');
  const isNews = await changeRoles(ctx, { businessId, userId, ...change });
  await updateVersion(ctx.db, userId, ctx.now);
  if (isNews) await ctx.emitAccount({ type: 'user.role_changed', userId, data: { businessId, ...change } });
  return toUserSeenBy((await findUserSeenBy(ctx.db, userId, [businessId]))!);
}

/** A user that is sent back as it was read has `roleIds` too: they count only where no `roleId` says what is meant. */
function changeIn({ roleId, roleIds }: SetRoleInput): RoleChange {
  if (roleId !== undefined) return { roleId };
  if (roleIds === undefined) throw invalidField('roleId', 'REQUIRED', 'roleId or roleIds is required.');
  return { roleIds: [...new Set(roleIds)] };
}

const namedIn = (change: RoleChange) => ('roleIds' in change ? (change.roleIds[0] ?? null) : change.roleId);

/** The role has one; to take roles away, the request must name it. */
async function businessOf({ db, caller }: Command, change: RoleChange): Promise<string> {
  const roleId = namedIn(change);
  if (roleId === null) throw invalidField('businessId', 'REQUIRED', 'businessId is required to take roles away.');
  return (await getRole(db, adminOf(caller), roleId)).businessId;
}
