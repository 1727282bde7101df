import pg from 'pg';
import { type Address, parseAddress, type Way } from './address.ts';
import { isUnreachable } from './errors.ts';

/**
 * Which of the ways to a database is used now. It is the same for all connections of the process, so that after a failover
 * the first one that finds the new server has found it for all.
 */
export class Route {
  readonly address: Address;
  #now = 0;

  constructor(address: Address) {
    this.address = address;
  }

  get way(): Way {
    return this.address.ways[this.#now]!;
  }

  /** `way` has failed: the next connection tries another. */
  leave(way: Way, error: unknown): void {
    const { ways } = this.address;
    if (way !== this.way) return;
    const next = this.#now + 1;
    const isSameHost = ways[next]?.host === way.host && ways[next]?.port === way.port;
    // A host that cannot be reached with TLS cannot be reached without it either.
    this.#now = (isSameHost && isUnreachable(error) ? next + 1 : next) % ways.length;
  }

  /** Opens a connection by `open`, which leaves a way that fails; tries each way at most once. */
  async try<T>(open: () => Promise<T>): Promise<T> {
    const errors: unknown[] = [];
    for (const _ of this.address.ways) {
      const before = this.way;
      try {
        return await open();
      } catch (error) {
        errors.push(error);
        if (this.way === before) break;
      }
    }
    // What a server answered, such as a wrong password, tells more than that it has no TLS, or that another one is away.
    const isAnswer = (error: unknown) => error instanceof pg.DatabaseError;
    throw errors.find(isAnswer) ?? errors.find((error) => !(error instanceof ReadOnlyServer)) ?? errors[0];
  }
}

/** The server takes no writes, and ours are. The code is PostgreSQL's for a write in a read-only transaction. */
export class ReadOnlyServer extends Error {
  readonly code = '25006';

  constructor() {
    super('The server takes no writes: it is a standby, or read-only.');
  }
}

const routes = new Map<string, Route>();

export function routeOf(url: string): Route {
  const route = routes.get(url) ?? new Route(parseAddress(url));
  routes.set(url, route);
  return route;
}
