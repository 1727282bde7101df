/** Maps host names to businesses. */
import type { Platform } from '../../../context/index.ts';
import { createMirror } from '../../../db/mirror.ts';
import { createFindTxt } from '../../../providers/outbound/txt.ts';
import { deriveKey } from '../../../shared/security/secrets.ts';
import { createSigner } from '../../../shared/security/signing.ts';
import { listHosts } from './queries.ts';
import { isHostOf, isServiceHost } from './service-hosts.ts';

/** The broadcast subject for changes to the hosts of any business. */
export const HOSTS_SUBJECT = 'storefront-hosts';

/** All verified hosts, in memory, because every request looks up its host. */
export function createHosts(platform: Pick<Platform, 'broadcast' | 'config' | 'log' | 'publicUrl'>) {
  const { config } = platform;
  const signer = createSigner(deriveKey(config.secretKey, 'storefront-hosts'), 16);
  const owners = createMirror(platform, {
    name: 'storefront hosts',
    empty: new Map<string, string>(),
    isAbout: (subject) => subject === HOSTS_SUBJECT,
    read: async (db) => new Map((await listHosts(db)).map(({ host, ownerId }) => [host, ownerId])),
  });

  const isOwn = (host: string) => isServiceHost(host, { publicUrl: platform.publicUrl(), bindHost: config.host });

  return {
    trusted: config.storefrontHosts === 'trust',
    start: owners.start,
    /** The ID of the business that serves this host. Ignores stored hosts that the service itself answers on: `PUBLIC_URL` may have changed. */
    ownerOf(host: string): string | undefined {
      const owner = owners.get().get(host);
      return owner === undefined || isOwn(host) ? undefined : owner;
    },
    /** Whether the service itself answers on this host. */
    isOwn,
    /** Whether a host requires a DNS record even with `STOREFRONT_HOSTS=trust`, because emails with tokens may link to it. */
    isListed: (host: string): boolean => isHostOf(config.allowedOrigins ?? [], host),
    /** The values of a TXT record. Empty if the name does not exist or the server is unreachable. */
    findRecords: createFindTxt(config.dnsServers),
    /** The DNS record that proves that a business controls a host. */
    recordOf: (businessId: string, host: string) => ({
      type: 'TXT',
      name: `_souk.${host.replace(/:\d+$/, '')}`,
      value: `souk-site=${signer.sign(`${businessId} ${host}`)}`,
    }),
  };
}

export type Hosts = ReturnType<typeof createHosts>;
