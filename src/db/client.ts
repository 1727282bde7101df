/** Connections as we want them, on the driver as it is published: types, names of columns, prepared statements, time limits. */
import { Socket } from 'node:net';
import pg from 'pg';

export type ConnectionTarget =
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string };

/** A connection that knows its socket, so that what is issued together can leave together. */
export class Client extends pg.Client {
  readonly socket: Socket;
  #isCorked = false;

  constructor(config: pg.ClientConfig) {
    const socket = new Socket();
    // The pool hides the password from those who list its options.
    super({ ...config, password: config.password, stream: () => socket });
    this.socket = socket;
    // Whoever uses the connection hears of its loss by their statements; without a listener it would end the process as well.
    this.on('error', () => {});
  }

  /** What is issued before `uncork` has its turn goes out as one write. */
  corkUntil(later: (uncork: () => void) => unknown): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.socket.cork();
    later(() => {
      this.#isCorked = false;
      this.socket.uncork();
    });
  }
}

const CONNECT_TIMEOUT_MS = 5000;

/** How long PostgreSQL lets us work, wait for a lock, and leave a transaction open. */
export const LIMITS = { statementMs: 30_000, lockMs: 5000, idleInTransactionMs: 15_000 };

/**
 * Sent on each new connection, and not as start-up parameters, because poolers refuse those. A transaction that needs longer
 * sets its own limit.
 */
export const SESSION_SETTINGS = [
  "set time zone 'UTC'",
  `set statement_timeout = ${LIMITS.statementMs}`,
  `set lock_timeout = ${LIMITS.lockMs}`,
  `set idle_in_transaction_session_timeout = ${LIMITS.idleInTransactionMs}`,
].join('; ');

const END_WITHIN_MS = 2000;

/** Lets connections end in peace for a moment, then cuts them: a server that does not answer cannot hold up the end. */
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

export function clientConfig(target: ConnectionTarget, applicationName: string): pg.ClientConfig {
  return {
    ...('url' in target ? { connectionString: target.url } : target),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: TYPES as pg.CustomTypesConfig,
    // What is issued together goes out together: the statements of a checkout, and reads that share a connection.
    pipeline: true,
  } as pg.ClientConfig;
}

/** A connection of its own. `settings`: further ones of its session. */
export async function openClient(target: ConnectionTarget, applicationName: string, settings = ''): Promise<Client> {
  const client = new Client(clientConfig(target, applicationName));
  await client.connect();
  await client.query(`${SESSION_SETTINGS};${settings}`);
  return client;
}

/** Texts that were prepared, by the name they go by on the server. Rare shapes beyond these are not prepared. */
const names = new Map<string, string>();
const MAX_PREPARED = 1000;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_PREPARED) return known;
  const name = `souk_${names.size}`;
  names.set(text, name);
  return name;
}

/** `created_at` becomes `createdAt`. */
const fields = new Map<string, string>();

function toCamel(column: string): string {
  let field = fields.get(column);
  if (field === undefined) {
    field = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (fields.size < 1000) fields.set(column, field);
  }
  return field;
}

type Result = { rows: object[] };
type Callback = (error: Error | null, result?: Result | Result[]) => void;
type Described = { fields: { name: string }[] };
type QueryConstructor = new (
  config: object,
  values: unknown,
  callback: Callback,
) => pg.Submittable & { handleRowDescription(message: Described): void };

/** Names the columns of its rows as our code does. */
class CamelQuery extends (pg.Query as unknown as QueryConstructor) {
  override handleRowDescription(message: Described): void {
    for (const field of message.fields) field.name = toCamel(field.name);
    super.handleRowDescription(message);
  }
}

/** A script has a result for each of its statements. */
const rowsOf = (result: Result | Result[]) => (Array.isArray(result) ? [] : result.rows);

/** Sends a statement, prepared where it has values. It may follow others that are still under way. */
export function send(client: Client, text: string, values: unknown[]): Promise<object[]> {
  client.corkUntil(process.nextTick);
  return new Promise((resolve, reject) => {
    const config = values.length > 0 ? { text, values, name: nameOf(text) } : { text };
    const callback: Callback = (error, result) => {
      if (error) reject(error);
      else resolve(rowsOf(result!));
    };
    client.query(new CamelQuery(config, undefined, callback));
  });
}
