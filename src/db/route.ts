import pg from 'pg';
import { type Address, type Endpoint, parseAddress } from './address.ts';
import { isUnreachable } from './errors.ts';

/**
 * The endpoint currently in use. All connections of the process share it, so after a failover only one of them has to
 * find the new server.
 */
export class Route {
  readonly address: Address;
  #now = 0;

  constructor(address: Address) {
    this.address = address;
  }

  get endpoint(): Endpoint {
    return this.address.endpoints[this.#now]!;
  }

  /** Called when `endpoint` has failed. The next connection tries another one. */
  leave(endpoint: Endpoint, error: unknown): void {
    const { endpoints } = this.address;
    if (endpoint !== this.endpoint) return;
    const next = this.#now + 1;
    const isSameHost = endpoints[next]?.host === endpoint.host && endpoints[next]?.port === endpoint.port;
    // A host that is unreachable with TLS is also unreachable without it.
    this.#now = (isSameHost && isUnreachable(error) ? next + 1 : next) % endpoints.length;
  }

  /** Opens a connection with `open`, which calls `leave` if it fails. Tries each endpoint at most once. */
  async try<T>(open: () => Promise<T>): Promise<T> {
    const errors: unknown[] = [];
    for (const _ of this.address.endpoints) {
      const before = this.endpoint;
      try {
        return await open();
      } catch (error) {
        errors.push(error);
        if (this.endpoint === before) break;
      }
    }
    // A server's own error, such as a wrong password, is more helpful than missing TLS or another unreachable host.
    const isServerError = (error: unknown) => error instanceof pg.DatabaseError;
    throw errors.find(isServerError) ?? errors.find((error) => !(error instanceof ReadOnlyServer)) ?? errors[0];
  }
}

/** The server is read-only, but the service needs to write. The code is PostgreSQL's for a write in a read-only transaction. */
export class ReadOnlyServer extends Error {
  readonly code = '25006';

  constructor() {
    super('The server is read-only or a standby');
  }
}

const routes = new Map<string, Route>();

export function routeOf(url: string): Route {
  const route = routes.get(url) ?? new Route(parseAddress(url));
  routes.set(url, route);
  return route;
}
