import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 2000;
const TRIES = 2;

/** The TXT records of a name. Empty if there are none, or if the name servers don't respond in time. */
export type FindTxt = (name: string) => Promise<string[]>;

export function createFindTxt(servers: readonly string[] | null): FindTxt {
  return async (name) => {
    // A resolver of its own, so that a slow name server holds up no other lookup.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS * TRIES);
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch {
      return [];
    } finally {
      clearTimeout(timer);
    }
  };
}
