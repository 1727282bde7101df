/** A `pg` connection with our host selection, type parsers and timeouts. */
import type { Socket } from 'node:net';
import pg from 'pg';
import type { Endpoint } from './address.ts';
import { abort, isPrepared, markSocketErrors, socketOf } from './driver.ts';
import { isConnectionLost } from './errors.ts';
import { ReadOnlyServer, type Route, routeOf } from './route.ts';
import { watchSilence } from './silence.ts';
import { sharedName } from './statement-names.ts';

export type ConnectionTarget = (
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string }
) & {
  /** A pooler in transaction mode: each transaction can run in another session, so sessions must not keep state. */
  isPooled?: boolean;
  /** False if the pooler does not support prepared statements. */
  prepares?: boolean;
  /** `connect_timeout` of the URL takes precedence. */
  connectTimeoutMs?: number;
};

type Config = pg.ClientConfig & { route: Route | null; isPooled: boolean; prepares: boolean };

export class Client extends pg.Client {
  readonly isPooled: boolean;
  /** The connection is closed if a response is pending and nothing has arrived for this long. */
  silenceMs: number;
  readonly #prepares: boolean;
  readonly #route: Route | null;
  readonly #endpoint: Endpoint | null;
  /** How many times preparing each statement failed on this connection, by its shared name. */
  readonly #failures = new Map<string, number>();
  #isCorked = false;

  constructor(config: Config) {
    const endpoint = config.route?.endpoint ?? null;
    // The pool makes the password non-enumerable, so the spread leaves it out.
    super({ ...config, ...endpoint, password: config.password } as pg.ClientConfig);
    this.#route = config.route;
    this.#endpoint = endpoint;
    this.isPooled = config.isPooled;
    this.silenceMs = SILENCE_MS;
    this.#prepares = config.prepares;
    // Statements report a lost connection to their callers. Without this listener it would also crash the process.
    this.on('error', () => {});
    this.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.#refuseUnreplicated();
    });
  }

  get socket(): Socket {
    return socketOf(this);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver has one method for promises and callbacks.
  override connect(callback?: any): any {
    if (!callback) {
      return new Promise((resolve, reject) =>
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this))),
      );
    }
    super.connect(async (failure: Error | null) => {
      if (!failure) {
        markSocketErrors(this);
        watchSilence(this);
      }
      const error = failure ?? (this.#route?.address.needsReadWrite ? await this.#findReadOnly() : null);
      if (!error) return callback(null);
      const reason = asConnectError(error);
      if (this.#endpoint) this.#route!.leave(this.#endpoint, reason);
      if (!failure) void this.end();
      callback(reason);
    });
  }

  async #findReadOnly(): Promise<Error | null> {
    try {
      const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only');
      return rows[0]!.transaction_read_only === 'on' ? new ReadOnlyServer() : null;
    } catch (error) {
      return error as Error;
    }
  }

  /**
   * PostgreSQL reports a commit as successful even if it gave up waiting for the standby, and a failover could lose it. The
   * result may arrive in the same packet as this warning, so waiting for the socket to close would be too late.
   */
  #refuseUnreplicated(): void {
    abort(this, new Error('Connection terminated: the commit was not replicated'));
  }

  /** Sends the statements issued before `later` runs its callback in one write. */
  corkUntil(later: (uncork: () => void) => unknown): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { socket } = this;
    socket.cork();
    later(() => {
      this.#isCorked = false;
      socket.uncork();
    });
  }

  /**
   * The name of the prepared statement on this connection. If preparing it failed, for example after an error in its
   * transaction, it gets a new name: PgBouncer remembers the first and closes a connection that prepares it again.
   */
  nameOf(text: string): string | undefined {
    const name = this.#prepares ? sharedName(text) : undefined;
    const failures = name && this.#failures.get(name);
    return failures ? `${name}_${failures}` : name;
  }

  noteFailure(text: string, name: string): void {
    if (isPrepared(this, name) || name !== this.nameOf(text)) return;
    const shared = sharedName(text)!;
    this.#failures.set(shared, (this.#failures.get(shared) ?? 0) + 1);
  }
}

/** An error that is not the server's own, such as an invalid certificate, means that the database is unreachable. */
function asConnectError(error: Error & { code?: string }): Error {
  const isKnown = isConnectionLost(error) || /^[0-9A-Z]{5}$/.test(error.code ?? '');
  return isKnown ? error : Object.assign(new Error(error.message, { cause: error }), { code: '08001' });
}

const CONNECT_TIMEOUT_MS = 5000;

/** Enforced by PostgreSQL. */
export const LIMITS = { statementMs: 30_000, lockMs: 5000, idleInTransactionMs: 15_000 };

/** PostgreSQL would have canceled the statement by then. */
const SILENCE_MS = LIMITS.statementMs + 5000;
/** For connections that run only quick statements, which at worst wait for a lock. */
export const QUICK_SILENCE_MS = LIMITS.lockMs + 5000;

const limits = (set: string) =>
  [
    `${set} statement_timeout = ${LIMITS.statementMs}`,
    `${set} lock_timeout = ${LIMITS.lockMs}`,
    `${set} idle_in_transaction_session_timeout = ${LIMITS.idleInTransactionMs}`,
  ].join('; ');

/** Sent on each new connection, because poolers reject startup parameters. A transaction that needs longer sets its own limit. */
const SESSION_SETTINGS = `set time zone 'UTC'; ${limits('set')}`;
/** Behind a pooler in transaction mode, each transaction sets the limits. PgBouncer keeps the time zone for the client. */
const POOLED_SETTINGS = "set time zone 'UTC'";
const POOLED_BEGIN = `begin; ${limits('set local')}`;

export const settingsOf = ({ isPooled }: { isPooled?: boolean }) => (isPooled ? POOLED_SETTINGS : SESSION_SETTINGS);
export const beginOf = ({ isPooled }: { isPooled?: boolean }) => (isPooled ? POOLED_BEGIN : 'begin');

const END_WITHIN_MS = 2000;

/** Closes connections gracefully, or forcibly after a moment, so that an unresponsive server can't delay shutdown. */
export async function endWithin(ending: Promise<unknown>, clients: Iterable<Client | null>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, END_WITHIN_MS);
  await Promise.race([ending, late]);
  clearTimeout(timer);
  for (const client of clients) client?.socket.destroy();
}

const INT8 = 20;

const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

export function clientConfig(target: ConnectionTarget, applicationName: string): Config {
  const { isPooled = false, prepares = true, connectTimeoutMs = CONNECT_TIMEOUT_MS, ...rest } = target;
  const route = 'url' in rest ? routeOf(rest.url) : null;
  return {
    application_name: applicationName,
    connectionTimeoutMillis: route?.address.connectTimeoutMs ?? connectTimeoutMs,
    ...('url' in rest ? route!.address.login : rest),
    route,
    isPooled,
    prepares,
    keepAlive: true,
    types: TYPES as pg.CustomTypesConfig,
    // Sends statements without waiting for the results of previous ones.
    pipeline: true,
  } as Config;
}

/** Opens a connection outside any pool. `settings`: SQL that sets up its session. */
export async function openClient(target: ConnectionTarget, applicationName: string, settings = ''): Promise<Client> {
  const config = clientConfig(target, applicationName);
  const open = async () => {
    const client = new Client(config);
    await client.connect();
    return client;
  };
  const client = await (config.route ? config.route.try(open) : open());
  await client.query(`${settingsOf(target)};${settings}`);
  return client;
}
