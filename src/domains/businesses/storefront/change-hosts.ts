import type { FieldError } from '../../../shared/errors.ts';
import { invalid } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { HOSTS_SUBJECT } from './hosts.ts';
import { deleteHosts, insertHost, listHostsAmong } from './queries.ts';

/**
 * Releases hosts that the settings no longer list. A host of another business or of the service is an error. With `STOREFRONT_HOSTS=trust`,
 * new hosts are served immediately, so the hosts of `ALLOWED_ORIGINS` are refused too: with `dns`, their owner decides by the DNS record.
 */
export async function changeHosts(ctx: Command, businessId: string, hosts: readonly string[]): Promise<void> {
  const { db: tx, businesses, now } = ctx;
  const own = hosts.filter((host) => businesses.hosts.isOwn(host));
  if (own.length > 0) throw invalid(own.map((host) => hostReserved(hosts.indexOf(host))));
  const known = await listHostsAmong(tx, hosts);
  const taken = known.filter(({ ownerId }) => ownerId !== businessId);
  if (taken.length > 0) throw invalid(taken.map(({ host }) => hostTaken(hosts.indexOf(host))));
  const isKnown = (host: string) => known.some((row) => row.host === host);
  const listed = businesses.hosts.trusted
    ? hosts.filter((host) => businesses.hosts.isListed(host) && !isKnown(host))
    : [];
  if (listed.length > 0) throw invalid(listed.map((host) => hostReserved(hosts.indexOf(host))));
  await deleteHosts(tx, businessId, hosts);
  if (businesses.hosts.trusted) {
    for (const [i, host] of [...hosts.entries()].sort(([, a], [, b]) => (a < b ? -1 : 1))) {
      if ((await insertHost(tx, host, businessId, now)) !== businessId) throw invalid([hostTaken(i)]);
    }
  }
  await ctx.publish(HOSTS_SUBJECT);
}

function hostReserved(i: number): FieldError {
  const field = `configs.storefront.hosts[${i}]`;
  return {
    field,
    error: 'NOT_ALLOWED',
    message: `${field} belongs to the service and can't be the host of a storefront.`,
  };
}

function hostTaken(i: number): FieldError {
  const field = `configs.storefront.hosts[${i}]`;
  return { field, error: 'DUPLICATE', message: `${field} is already used by another business.` };
}
