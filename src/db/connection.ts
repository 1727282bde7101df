import type postgres from 'postgres';
import { unavailable } from '../shared/errors.ts';
import { postgres as driver } from './driver.ts';

type Types = { bigint: number };

/** The pool. Only `inTransaction` and the wiring know it as such. */
export type Pool = postgres.Sql<Types>;
/** Reads take this: the pool, or a transaction that is under way. */
export type Db = Pool | Tx;
/** Writes and locks take this, so that a write outside a transaction does not compile. */
export type Tx = postgres.TransactionSql<Types>;

export type ConnectionTarget =
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string };

export type PoolOptions = {
  max?: number;
  applicationName?: string;
  /** Leave column names as they are in SQL, and JSON text as it is given: for libraries that bring their own. */
  rawColumns?: boolean;
  /** Plan a statement once for each connection, whatever its values: for statements that have only one sensible plan. */
  genericPlans?: boolean;
};

/** Columns are snake_case in SQL and camelCase in rows; int8 is a number (money and times stay within 2^53). */
export function connect(
  target: ConnectionTarget,
  { max = 10, applicationName = 'souk', rawColumns = false, genericPlans = false }: PoolOptions = {},
): Pool {
  const column = rawColumns ? {} : { column: { from: driver.toCamel, to: driver.fromCamel } };
  const options: postgres.Options<{ bigint: postgres.PostgresType<number> }> = {
    ...('url' in target ? {} : target),
    max,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    backoff: () => 0.2,
    onnotice: () => {},
    transform: { undefined: null, ...column },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      ...(rawColumns ? { json: JSON_TEXT } : {}),
    },
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      ...(genericPlans ? { plan_cache_mode: 'force_generic_plan' } : {}),
    },
  };
  if (!('url' in target)) return driver(options);
  const { url, folder } = splitSocket(target.url);
  return driver(url, folder === null ? options : { ...options, host: folder });
}

/** An address may name the folder of a unix socket, as libpq's do: `?host=/run/postgresql` or `%2Frun%2Fpostgresql`. */
function splitSocket(text: string): { url: string; folder: string | null } {
  const url = new URL(text);
  const folder = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  if (!folder.startsWith('/')) return { url: text, folder: null };
  url.searchParams.delete('host');
  url.hostname = 'localhost';
  return { url: url.href, folder };
}

/** A library that has made text of its JSON has it sent as it is. */
const JSON_TEXT = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text),
};

/**
 * Runs `work` in a transaction: all of it is written, or nothing. No network, hashing or waiting inside. A serialization
 * failure or deadlock is tried again, because `work` has left no trace.
 */
export async function inTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await pool.begin(work)) as T;
    } catch (error) {
      if (attempt < 3 && isRetryable(error)) continue;
      throw error;
    }
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** The transaction has left no trace and may be tried again. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(codeOf(error));

const CONNECTION_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
]);

/** True when the connection that raised this is gone. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return CONNECTION_CODES.has(code) || code.startsWith('08') || code.startsWith('57P');
}

/** True when the database is away or turning us away: the caller gets 503 and may try again. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return isConnectionLost(error) || code.startsWith('53') || code === '25006';
}

/** True when `error` is a violation of the named unique constraint or index. */
export const violatesUnique = (error: unknown, constraint: string) =>
  codeOf(error) === '23505' && (error as postgres.PostgresError).constraint_name === constraint;

/** Raises 503 when the database does not answer. */
export async function ping(db: Db): Promise<void> {
  try {
    await db`select 1`;
  } catch {
    throw unavailable('The database does not answer.');
  }
}
