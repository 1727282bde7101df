import type { FieldError } from '../../../shared/errors.ts';
import { invalid } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { HOSTS_SUBJECT } from './hosts.ts';
import { deleteHosts, insertHost, listHostsAmong } from './queries.ts';

/**
 * Releases hosts that the settings no longer list. A host of another business is an error. With `STOREFRONT_HOSTS=trust`, new hosts are
 * served immediately.
 */
export async function changeHosts(ctx: Command, businessId: string, hosts: readonly string[]): Promise<void> {
  const { db: tx, businesses, now } = ctx;
  const taken = (await listHostsAmong(tx, hosts)).filter(({ ownerId }) => ownerId !== businessId);
  if (taken.length > 0) throw invalid(taken.map(({ host }) => hostTaken(hosts.indexOf(host))));
  await deleteHosts(tx, businessId, hosts);
  if (businesses.hosts.trusted) {
    for (const [i, host] of [...hosts.entries()].sort(([, a], [, b]) => (a < b ? -1 : 1))) {
      if ((await insertHost(tx, host, businessId, now)) !== businessId) throw invalid([hostTaken(i)]);
    }
  }
  await ctx.publish(HOSTS_SUBJECT);
}

function hostTaken(i: number): FieldError {
  const field = `configs.storefront.hosts[${i}]`;
  return { field, error: 'DUPLICATE', message: `${field} is already used by another business.` };
}
