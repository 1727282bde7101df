/** Which business a host name belongs to. */
import type { Platform } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { createFindTxt } from '../../../providers/outbound/txt.ts';
import { deriveKey } from '../../../shared/security/secrets.ts';
import { createSigner } from '../../../shared/security/signing.ts';
import { listHosts } from './queries.ts';

/** The broadcast subject for changes to the hosts of any business. */
export const HOSTS_SUBJECT = 'storefront-hosts';

/** All verified hosts, in memory, because every request looks up its host. */
export function createHosts({ broadcast, config, log }: Pick<Platform, 'broadcast' | 'config' | 'log'>) {
  const signer = createSigner(deriveKey(config.secretKey, 'storefront-hosts'), 16);
  let owners: ReadonlyMap<string, string> = new Map();
  let latest = 0;

  async function load(db: Db): Promise<void> {
    const turn = ++latest;
    const rows = await listHosts(db);
    if (turn === latest) owners = new Map(rows.map(({ host, ownerId }) => [host, ownerId]));
  }

  return {
    trusted: config.storefrontHosts === 'trust',
    /** Loads the hosts, and loads them again after each change. */
    async start(db: Db): Promise<void> {
      const reload = () => void load(db).catch((error) => log.error({ err: error }, 'Loading storefront hosts failed'));
      broadcast.subscribe((subject) => {
        if (subject === HOSTS_SUBJECT) reload();
      });
      broadcast.onReset(reload);
      await load(db);
    },
    /** The ID of the business that serves this host. */
    ownerOf: (host: string): string | undefined => owners.get(host),
    /** The values of a TXT record. Missing names and unreachable servers count as no records. */
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
