import { forbidden, notFound } from '../../../shared/errors.ts';
import type { Permission } from '../../../shared/security/caller.ts';
import type { Command } from '../context.ts';
import { type BusinessRow, lockBusiness } from '../queries.ts';
import { listPermissionsOf } from './queries.ts';

type Locker = Pick<Command, 'db' | 'caller' | 'now'>;

/** Locks the business for a change. The caller may have lost the permission while waiting for the lock. */
export async function lockWith(ctx: Locker, businessId: string, permission: Permission): Promise<BusinessRow> {
  const business = await lockBusiness(ctx.db, businessId);
  if (!business) throw notFound('Business');
  const granted = await listPermissionsOf(ctx.db, businessId, ctx.caller.userId, ctx.now);
  if (!granted.includes(permission) && !granted.includes('ADMIN')) throw permissionRequired(permission);
  return business;
}

export const lockAsAdmin = (ctx: Locker, businessId: string) => lockWith(ctx, businessId, 'ADMIN');

export const permissionRequired = (permission: Permission) =>
  forbidden(`This requires the ${permission} permission in this business.`);
