/** Connections as we want them, on the driver as it is published: ways to a server, types, time limits. */
import { Socket } from 'node:net';
import pg from 'pg';
import type { Way } from './address.ts';
import { isConnectionLost } from './errors.ts';
import { ReadOnlyServer, type Route, routeOf } from './route.ts';
import { sharedName } from './send.ts';
import { watchSilence } from './silence.ts';

export type ConnectionTarget = (
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string }
) & {
  /** It leads to a pooler that gives each transaction any session: nothing may be left in one. */
  isPooled?: boolean;
  /** False: the pooler knows no prepared statements. */
  prepares?: boolean;
};

type Config = pg.ClientConfig & { route: Route | null; isPooled: boolean; prepares: boolean };

/** A connection that knows its socket, so that what is issued together can leave together. */
export class Client extends pg.Client {
  readonly isPooled: boolean;
  /** How long it may owe an answer without sending anything. */
  silenceMs: number;
  readonly #prepares: boolean;
  readonly #route: Route | null;
  readonly #way: Way | null;
  /** What the server has said of itself. */
  readonly #parameters = new Map<string, string>();
  /** How often a text could not be prepared here. */
  readonly #failures = new Map<string, number>();
  #isCorked = false;

  constructor(config: Config) {
    const way = config.route?.way ?? null;
    // The pool hides the password from those who list its options.
    super({ ...config, ...way, password: config.password, stream: () => new Socket() } as pg.ClientConfig);
    this.#route = config.route;
    this.#way = way;
    this.isPooled = config.isPooled;
    this.silenceMs = SILENCE_MS;
    this.#prepares = config.prepares;
    // Whoever uses the connection hears of its loss by their statements; without a listener it would end the process as well.
    this.on('error', () => {});
    this.on('notice', ({ routine }: { routine?: string }) => {
      if (routine === 'SyncRepWaitForLSN') this.#refuseUnreplicated();
    });
    this.#driver.on('parameterStatus', ({ parameterName, parameterValue }) => {
      this.#parameters.set(parameterName!, parameterValue!);
    });
  }

  get #driver(): Driver {
    return (this as unknown as { connection: Driver }).connection;
  }

  /** Of TCP or, once that is agreed on, of TLS. */
  get socket(): Socket {
    return this.#driver.stream;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver has one method for promises and callbacks.
  override connect(callback?: any): any {
    if (!callback) {
      return new Promise((resolve, reject) =>
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this))),
      );
    }
    super.connect((failure: Error | null) => {
      const error = failure ? asConnectError(failure) : this.#isReadOnly() ? new ReadOnlyServer() : null;
      if (error && this.#way) this.#route!.leave(this.#way, error);
      if (error && !failure) void this.end();
      else if (!error) watchSilence(this);
      callback(error);
    });
  }

  /**
   * A commit that gave up waiting for the standby is answered as if it had not: what it wrote could be lost in a failover. Its
   * answer may stand in the same packet as the warning, so the statement is refused at once and not by the end of the socket.
   */
  #refuseUnreplicated(): void {
    this.#driver.emit('error', new Error('Connection terminated: the commit was not replicated'));
    this.socket.destroy();
  }

  #isReadOnly(): boolean {
    const flags = ['in_hot_standby', 'default_transaction_read_only'];
    return this.#route?.address.needsReadWrite === true && flags.some((name) => this.#parameters.get(name) === 'on');
  }

  awaitsAnswer(): boolean {
    const { _activeQuery, _sentQueryQueue } = this as unknown as { _activeQuery: unknown; _sentQueryQueue: unknown[] };
    return Boolean(_activeQuery) || _sentQueryQueue.length > 0;
  }

  /** `later` calls `uncork`: what is issued until then goes out as one write. */
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
   * The name that a text is prepared by on this connection. One that could not be prepared, such as behind an error of its
   * transaction, is tried again under another name: PgBouncer remembers the first and ends whoever uses it again.
   */
  nameOf(text: string): string | undefined {
    const name = this.#prepares ? sharedName(text) : undefined;
    const failures = name && this.#failures.get(name);
    return failures ? `${name}_${failures}` : name;
  }

  noteFailure(text: string, name: string): void {
    if (this.#driver.parsedStatements[name] !== undefined || name !== this.nameOf(text)) return;
    const shared = sharedName(text)!;
    this.#failures.set(shared, (this.#failures.get(shared) ?? 0) + 1);
  }
}

/** Whatever keeps us from a server that has said nothing about it, such as its certificate, means that the database is away. */
function asConnectError(error: Error & { code?: string }): Error {
  const isKnown = isConnectionLost(error) || /^[0-9A-Z]{5}$/.test(error.code ?? '');
  return isKnown ? error : Object.assign(new Error(error.message, { cause: error }), { code: '08001' });
}

type Driver = {
  stream: Socket;
  emit(event: 'error', error: Error): void;
  parsedStatements: Record<string, string>;
  on(event: 'parameterStatus', listen: (message: { parameterName?: string; parameterValue?: string }) => void): void;
};

const CONNECT_TIMEOUT_MS = 5000;

/** How long PostgreSQL lets us work, wait for a lock, and leave a transaction open. */
export const LIMITS = { statementMs: 30_000, lockMs: 5000, idleInTransactionMs: 15_000 };

/** PostgreSQL has told of a limit that was passed long before. */
const SILENCE_MS = LIMITS.statementMs + 5000;
/** The same where every statement is quick, and a lock is the most it waits for. */
export const QUICK_SILENCE_MS = LIMITS.lockMs + 5000;

const limits = (set: string) =>
  [
    `${set} statement_timeout = ${LIMITS.statementMs}`,
    `${set} lock_timeout = ${LIMITS.lockMs}`,
    `${set} idle_in_transaction_session_timeout = ${LIMITS.idleInTransactionMs}`,
  ].join('; ');

/**
 * Sent on each new connection, and not as start-up parameters, because poolers refuse those. A transaction that needs longer
 * sets its own limit.
 */
const SESSION_SETTINGS = `set time zone 'UTC'; ${limits('set')}`;
/** Behind a pooler for transactions the limits stand in each of them; the time zone PgBouncer carries along. */
const POOLED_SETTINGS = "set time zone 'UTC'";
const POOLED_BEGIN = `begin; ${limits('set local')}`;

export const settingsOf = ({ isPooled }: { isPooled?: boolean }) => (isPooled ? POOLED_SETTINGS : SESSION_SETTINGS);
export const beginOf = ({ isPooled }: { isPooled?: boolean }) => (isPooled ? POOLED_BEGIN : 'begin');

const END_WITHIN_MS = 2000;

/** Lets connections end in peace for a moment, then cuts them: a server that does not answer cannot delay the end. */
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
  const { isPooled = false, prepares = true, ...rest } = target;
  const route = 'url' in rest ? routeOf(rest.url) : null;
  return {
    application_name: applicationName,
    connectionTimeoutMillis: route?.address.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...('url' in rest ? route!.address.login : rest),
    ...{ route, isPooled, prepares },
    keepAlive: true,
    types: TYPES as pg.CustomTypesConfig,
    // What is issued together goes out together: the statements of a checkout, and reads that share a connection.
    pipeline: true,
  } as Config;
}

/** A connection of its own. `settings`: further ones of its session. */
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
