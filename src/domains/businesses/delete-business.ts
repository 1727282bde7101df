import { SUCCESS } from '../../shared/schemas.ts';
import { userSubject } from '../../shared/security/caller.ts';
import { CLEAR_BUSINESSES } from './clear-businesses.ts';
import { markDeleted } from './clear-queries.ts';
import { businessSubject, type Command } from './context.ts';
import { showBusiness } from './read-businesses.ts';
import { lockAsAdmin } from './roles/lock.ts';
import { deleteMembersAndRoles } from './roles/queries.ts';
import type { StoredConfigs } from './schemas.ts';
import { requireStepUp } from './security.ts';
import { HOSTS_SUBJECT } from './storefront/hosts.ts';
import { deleteHosts } from './storefront/queries.ts';

/** Keeps only the encrypted key needed to cancel renewals with the provider. It is deleted with the business's row. */
const keyOnly = ({ paymentProvider }: StoredConfigs): StoredConfigs =>
  paymentProvider?.type === 'STRIPE' && paymentProvider.secretKey !== undefined
    ? { paymentProvider: { type: 'STRIPE', secretKey: paymentProvider.secretKey } }
    : {};

/**
 * After the commit, every URL of the business responds with 404, the business has no members and its slug is free. The
 * transaction touches only the business, its roles and its members. A job deletes the rest.
 */
export async function deleteBusiness(ctx: Command) {
  const { db: tx, businessId, now } = ctx;
  await requireStepUp(ctx, businessId);
  const business = await lockAsAdmin(ctx, businessId);
  ctx.checkVersion(business.version);
  const members = await deleteMembersAndRoles(tx, businessId);
  const data = showBusiness(ctx, business);
  ctx.emit({ type: 'business.deleted', entity: `business:${businessId}`, data });
  await markDeleted(tx, businessId, keyOnly(business.configs), now);
  await deleteHosts(tx, businessId, []);
  await ctx.enqueue(CLEAR_BUSINESSES, { businessId });
  await Promise.all(
    [businessSubject(businessId), HOSTS_SUBJECT, ...members.map(userSubject)].map((subject) => ctx.publish(subject)),
  );
  return SUCCESS;
}
