/**
 * Resolves host names that users provide. It queries the name servers directly, because `dns.lookup` runs in a few threads that all
 * lookups and files share: one slow name server could occupy them all.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** Resolves a name to all its addresses, on behalf of a business. */
export type Resolve = (host: string, businessId: string) => Promise<string[]>;

type ResolverOptions = {
  /** Name servers. Defaults to the system's. */
  servers?: readonly string[];
  timeoutMs?: number;
};

const TIMEOUT_MS = 5000;
/** Names that a business can resolve at a time. Concurrent lookups of the same name count once. */
const MAX_PENDING = 20;

export function createResolve({ servers, timeoutMs = TIMEOUT_MS }: ResolverOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers) resolver.setServers(servers);
  const pending = new Map<string, Map<string, Promise<string[]>>>();

  async function query(host: string): Promise<string[]> {
    const known = await findInHostsFile(host);
    if (known.length > 0) return known;
    // A name without a dot comes from the operator's own network, and may need its search domains.
    if (!host.includes('.')) return (await lookup(host, { all: true })).map(({ address }) => address);
    const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return results.flatMap((addresses) => (addresses.status === 'fulfilled' ? addresses.value : []));
  }

  return async (host, businessId) => {
    const ofBusiness = pending.get(businessId) ?? new Map<string, Promise<string[]>>();
    const running = ofBusiness.get(host);
    if (running) return running;
    if (ofBusiness.size >= MAX_PENDING) throw new Error('Too many host names are being resolved');
    const addresses = withTimeout(query(host), timeoutMs).finally(() => {
      ofBusiness.delete(host);
      if (ofBusiness.size === 0) pending.delete(businessId);
    });
    pending.set(businessId, ofBusiness.set(host, addresses));
    return addresses;
  };
}

function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new Error('The name servers did not respond')), timeoutMs);
  work.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

/** Name servers don't read the hosts file, which containers use for names such as host.docker.internal. */
async function findInHostsFile(host: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  const name = host.toLowerCase().replace(/\.$/, '');
  return text.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return address && names.includes(name) ? [address] : [];
  });
}
