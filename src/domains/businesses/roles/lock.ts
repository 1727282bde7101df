import { notFound, unauthenticated } from '../../../shared/errors.ts';
import { may, type Permission, permissionRefusal } from '../../../shared/security/caller.ts';
import type { Command } from '../context.ts';
import { type BusinessRow, lockBusiness } from '../queries.ts';
import { updateRoleUse } from './queries.ts';

type Locker = Pick<Command, 'db' | 'caller' | 'now' | 'businesses'>;

/**
 * Locks the business for a change. The caller may have lost the permission while waiting for the lock. The change counts as using the role,
 * because routes without a business in their URL don't record it.
 */
export async function lockWith(ctx: Locker, businessId: string, permission: Permission): Promise<BusinessRow> {
  const business = await lockBusiness(ctx.db, businessId);
  if (!business) throw notFound('Business');
  const caller = await ctx.businesses.readCaller(ctx.db, ctx.caller, ctx.now);
  if (!caller) throw unauthenticated('The token is invalid, expired or revoked.');
  if (!may(caller, businessId, permission)) throw permissionRefusal(caller, businessId, permission);
  await updateRoleUse(ctx.db, businessId, caller.userId, ctx.now);
  return business;
}

export const lockAsAdmin = (ctx: Locker, businessId: string) => lockWith(ctx, businessId, 'ADMIN');
