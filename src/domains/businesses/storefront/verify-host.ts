import { conflict, invalidField, notFound } from '../../../shared/errors.ts';
import { businessSubject, command, type Query, type Steps } from '../context.ts';
import { findBusiness } from '../queries.ts';
import { HOSTS_SUBJECT } from './hosts.ts';
import { insertHost, listHostsAmong, moveHost } from './queries.ts';
import type { StorefrontHost } from './schemas.ts';

/** Lists the hosts in the settings, each with the DNS record that verifies it. */
export async function listStorefrontHosts(ctx: Query): Promise<{ items: StorefrontHost[] }> {
  const business = await findBusiness(ctx.db, ctx.businessId);
  const hosts = business?.configs.storefront?.hosts ?? [];
  const owners = await listHostsAmong(ctx.db, hosts);
  return {
    items: hosts.map((host) => ({
      host,
      isVerified: owners.some((row) => row.host === host && row.ownerId === ctx.businessId),
      record: ctx.businesses.hosts.recordOf(ctx.businessId, host),
    })),
  };
}

type Finding = { host: string; holder: string | null };

/** Looks for the DNS record of the business. A host moves to another business only if the record of the previous one is gone. */
export const verifyHost = command({
  async prepare(ctx: Steps, { host }: { host: string }): Promise<Finding> {
    const { businessId, businesses, db } = ctx;
    const business = await findBusiness(db, businessId);
    if (!business?.configs.storefront?.hosts?.includes(host)) throw notFound('Host');
    if (businesses.hosts.isOwn(host)) throw invalidField('host', 'NOT_ALLOWED', 'This host belongs to the service.');
    const [row] = await listHostsAmong(db, [host]);
    if (row?.ownerId === businessId || (businesses.hosts.trusted && !businesses.hosts.isListed(host)))
      return { host, holder: null };
    const record = businesses.hosts.recordOf(businessId, host);
    const values = await businesses.hosts.findRecords(record.name);
    if (!values.includes(record.value)) {
      const message = `The TXT record ${record.name} doesn't have the value ${record.value} yet. DNS changes can take a few hours.`;
      throw invalidField('host', 'NOT_VERIFIED', message);
    }
    if (row && values.includes(businesses.hosts.recordOf(row.ownerId, host).value)) throw taken();
    return { host, holder: row?.ownerId ?? null };
  },
  async execute(ctx, { host, holder }) {
    const { db: tx, businessId, now, businesses } = ctx;
    const isOwner =
      (holder !== null && (await moveHost(tx, host, holder, businessId, now))) ||
      (await insertHost(tx, host, businessId, now)) === businessId;
    if (!isOwner) throw taken();
    await ctx.publish(HOSTS_SUBJECT);
    await ctx.publish(businessSubject(businessId));
    const record = businesses.hosts.recordOf(businessId, host);
    const data = { id: businessId, host };
    ctx.emit({ type: 'business.host_verified', entity: `business:${businessId}`, data });
    return { host, isVerified: true, record };
  },
});

const taken = () => conflict("Another business has verified this host. Remove that business's TXT record first.");
