/** What people do with their own roles. An ADMIN can assign a role to anyone, so nobody needs permission to accept or leave. */
import { conflict, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { lockBusiness } from '../queries.ts';
import { listRoleIdsOf, listSoleAdmins, updateRoleUse } from './queries.ts';
import { publishMembers, setRole } from './set-role.ts';

/** Accepts the roles that an ADMIN assigned. Acting in the business does the same. */
export async function acceptRoles(ctx: Command): Promise<typeof SUCCESS> {
  const { db: tx, businessId, now } = ctx;
  const { userId } = ctx.caller;
  if (!(await lockBusiness(tx, businessId))) throw notFound('Business');
  const roleIds = await listRoleIdsOf(tx, businessId, userId);
  if (roleIds.length === 0) throw notFound('Membership');
  if (await updateRoleUse(tx, businessId, userId, now)) {
    ctx.emit({ type: 'member.accepted', entity: `member:${userId}`, data: { userId, roleIds } });
  }
  await publishMembers(ctx, [userId]);
  return SUCCESS;
}

/** Gives up the caller's roles, or declines them. Throws 409 if the business would lose its last ADMIN who has accepted the role. */
export async function leaveBusiness(ctx: Command): Promise<typeof SUCCESS> {
  const { db: tx, businessId } = ctx;
  const { userId } = ctx.caller;
  if (!(await lockBusiness(tx, businessId))) throw notFound('Business');
  if ((await listRoleIdsOf(tx, businessId, userId)).length === 0) throw notFound('Membership');
  const soleAdminOf = await listSoleAdmins(tx, userId);
  if (soleAdminOf.some(({ id }) => id === businessId)) {
    throw conflict(
      'You are the only admin of this business. Make someone else an admin, who must accept the role, or delete the business.',
    );
  }
  await setRole(ctx, { businessId, userId, roleId: null, isLeaving: true });
  return SUCCESS;
}
