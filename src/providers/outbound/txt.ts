import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 2000;
const TRIES = 2;

/** The TXT records of a name. Empty if there are none, or if the name servers don't respond in time. */
export type FindTxt = (name: string) => Promise<string[]>;

export function createFindTxt(servers: readonly string[] | null): FindTxt {
  const read = createReadTxt(servers);
  return async (name) => (await read(name)) ?? [];
}

/** Like `FindTxt`, but null if the name servers don't respond in time. */
export function createReadTxt(servers: readonly string[] | null) {
  return async (name: string): Promise<string[] | null> => {
    // A separate resolver, so that a slow name server does not delay other lookups.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS * TRIES);
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      return ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
    } finally {
      clearTimeout(timer);
    }
  };
}
