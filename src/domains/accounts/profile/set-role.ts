import { invalidField, notFound } from '../../../shared/errors.ts';
import {
  adminOf,
  setRole as changeRoles,
  getBusiness,
  getRole,
  lockAsAdmin,
  type RoleChange,
  requireAdmin,
  requireStepUp,
} from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { lockCredential } from '../sessions/lock-credential.ts';
import { findUser, findUserSeenBy, updateVersion } from './queries.ts';
import type { SeenUser, SetRoleInput } from './schemas.ts';
import { toUserSeenBy } from './to-user.ts';

/** Requires an ADMIN of the business. Takes effect with the user's next request. */
export async function setRole(ctx: Command, input: SetRoleInput): Promise<SeenUser> {
  const { userId } = input;
  const change = toRoleChange(input);
  const businessId = input.businessId ?? (await businessOf(ctx, change));
  await getBusiness(ctx, businessId);
  requireAdmin(ctx.caller, businessId);
  await requireStepUp(ctx, businessId);
  await lockAsAdmin(ctx, businessId);
  await lockCredential(ctx);
  const user = await findUser(ctx.db, userId);
  if (!user) throw notFound('User');
  if (user.isGuest && firstRoleId(change) !== null)
    throw invalidField('userId', 'INVALID_VALUE', "A guest can't have a role.");
  const hasChanged = await changeRoles(ctx, { businessId, userId, ...change });
  await updateVersion(ctx.db, userId, ctx.now);
  if (hasChanged) ctx.emitAccount({ type: 'user.role_changed', userId, data: { businessId, ...change } });
  return toUserSeenBy((await findUserSeenBy(ctx.db, userId, [businessId]))!);
}

/** Clients may send back a user as they read it, including `roleIds`, so `roleId` takes precedence. */
function toRoleChange({ roleId, roleIds }: SetRoleInput): RoleChange {
  if (roleId !== undefined) return { roleId };
  if (roleIds === undefined) throw invalidField('roleId', 'REQUIRED', 'roleId or roleIds is required.');
  return { roleIds: [...new Set(roleIds)] };
}

const firstRoleId = (change: RoleChange) => ('roleIds' in change ? (change.roleIds[0] ?? null) : change.roleId);

/** The business of the role. A request that removes roles must name the business itself. */
async function businessOf({ db, caller }: Command, change: RoleChange): Promise<string> {
  const roleId = firstRoleId(change);
  if (roleId === null) throw invalidField('businessId', 'REQUIRED', 'businessId is required to remove all roles.');
  return (await getRole(db, adminOf(caller), roleId)).businessId;
}
