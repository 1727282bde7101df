/** The connection pool. Only the wiring and this folder use it; other code gets a `Db` or a `Tx`. */
import pg from 'pg';
import { beginOf, Client, type ConnectionTarget, clientConfig, endWithin, settingsOf } from './client.ts';
import { isPoolTimeoutMessage } from './driver.ts';
import { isAfterFailure, isConnectionLost, tooBusy } from './errors.ts';
import {
  COMMIT_AND_FLUSH,
  COMMIT_AND_LOCATE,
  COMMIT_UNFLUSHED,
  createGroupFlush,
  FLUSH,
  LOCATE,
  RELEASE_EARLY,
} from './flush.ts';
import { retried } from './retry.ts';
import { send } from './send.ts';
import { createDb, createTx, type Db, type Run, type Tx } from './sql.ts';

export type { ConnectionTarget } from './client.ts';

type PoolOptions = {
  max?: number;
  applicationName?: string;
  /** Called with a position in the write-ahead log after each commit, before the transaction returns. */
  onCommit?: ((lsn: string) => void) | undefined;
};

/** A connection for exclusive use until it is released. */
export type Reserved = Db & {
  client: Client;
  /** `isBroken`: the connection is in an unknown state, so it is closed. */
  release(isBroken?: boolean): void;
};

export type Pool = Db & {
  /** The pool as a plain `Db`: each statement takes a connection and returns it. */
  db: Db;
  /** Atomic. Serialization failures and deadlocks are retried, because `work` has had no effect. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs one writing statement as its own transaction, with the same retries. */
  write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T>;
  /** Reserves a connection. Throws 503 if none is free within five seconds. */
  reserve(): Promise<Reserved>;
  /**
   * Rejects if the pool can't run a transaction. Does nothing while all connections are busy, because busy
   * connections work.
   */
  probe(): Promise<void>;
  end(): Promise<void>;
};

export function createPool(
  target: ConnectionTarget,
  { max = 10, applicationName = 'souk', onCommit }: PoolOptions = {},
): Pool {
  const commit = onCommit ? COMMIT_AND_LOCATE : 'commit';
  const flush = createGroupFlush((client: Client) => client.query(FLUSH));
  const config = clientConfig(target, applicationName);
  const pool = new pg.Pool({
    ...config,
    Client,
    max,
    idleTimeoutMillis: 0,
    onConnect: (client: Client) => client.query(settingsOf(client)),
  } as unknown as pg.PoolConfig);
  pool.on('error', () => {});
  const clients = new Set<Client>();
  pool.on('connect', (client) => clients.add(client as unknown as Client));
  pool.on('remove', (client) => clients.delete(client as unknown as Client));

  async function acquire() {
    const connect = () => pool.connect();
    const taken = await (config.route ? config.route.try(connect) : connect()).catch((error: Error) => {
      throw isPoolTimeoutMessage(error) ? tooBusy() : error;
    });
    return { client: taken as unknown as Client, release: (isBroken = false) => taken.release(isBroken) };
  }

  async function reserve(): Promise<Reserved> {
    const acquired = await acquire();
    const db = createDb((text, values) => send(acquired.client, text, values, !acquired.client.isPooled));
    return Object.assign(db, acquired);
  }

  /** `onWritten`: for a statement that writes. The position after its commit is read in the same packet. */
  async function run(text: string, values: unknown[], onWritten?: PoolOptions['onCommit']): Promise<object[]> {
    const { client, release } = await acquire();
    let isBroken = false;
    try {
      const sent = client.isPooled ? sendAlone(client, text, values) : send(client, text, values);
      if (!onWritten) return await sent;
      const [rows, located] = await Promise.all([sent, client.query(LOCATE)]);
      onWritten(lsnOf(located));
      return rows;
    } catch (error) {
      isBroken = isConnectionLost(error);
      throw error;
    } finally {
      release(isBroken);
    }
  }

  async function transactOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { client, release } = await acquire();
    let isBroken = true;
    let hasEnded = false;
    let releasesEarly = false;
    let cause: unknown;
    const tx = createTx(async (text, values) => {
      if (hasEnded) throw new Error('This transaction has already ended');
      if (text === RELEASE_EARLY) {
        releasesEarly = true;
        return [];
      }
      return send(client, text, values, !client.isPooled).catch((error) => {
        cause ??= error;
        throw error;
      });
    });
    try {
      // The first statement is sent in the same packet as BEGIN. If BEGIN fails, so does everything after it.
      client.corkUntil(process.nextTick);
      const begin = client.query(beginOf(client));
      begin.catch(() => {});
      const result = await work(tx);
      hasEnded = true;
      const commitEarly = client.isPooled ? COMMIT_AND_FLUSH : COMMIT_UNFLUSHED;
      const [, ended] = await Promise.all([begin, client.query(releasesEarly ? commitEarly : commit)]);
      const results = [ended].flat();
      const { command } = results[releasesEarly ? 1 : 0]!;
      const isCommitted = command === 'COMMIT';
      if (isCommitted && releasesEarly && !client.isPooled) results.push(await flush(client));
      isBroken = false;
      if (!isCommitted) throw cause ?? new Error('The transaction was rolled back because a statement failed');
      onCommit?.(lsnOf(results.at(-1)!));
      return result;
    } catch (error) {
      hasEnded = true;
      if (isBroken && !isConnectionLost(error))
        isBroken = await client.query('rollback').then(isNotRolledBack, () => true);
      throw isAfterFailure(error) ? cause : error;
    } finally {
      release(isBroken);
    }
  }

  const read: Run = (text, values) => run(text, values);
  const writer = createTx((text, values) => run(text, values, onCommit));
  return Object.assign(createDb(read), {
    db: createDb(read),
    transaction: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => retried(() => transactOnce(work)),
    write: <T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T> => retried(() => statement(writer)),
    reserve,
    async probe(): Promise<void> {
      if (pool.idleCount > 0 || pool.totalCount < max) await transactOnce((tx) => tx`select 1`);
    },
    end: () => endWithin(pool.end(), clients),
  });
}

/** The position in the result of `LOCATE` or `FLUSH`. */
const lsnOf = ({ rows }: pg.QueryResult): string => Object.values(rows[0])[0] as string;

export const isNotRolledBack = ({ command }: { command: string }) => command !== 'ROLLBACK';

/**
 * Runs a statement with the timeouts of a transaction in one round trip, because its session may belong to any
 * client.
 */
async function sendAlone(client: Client, text: string, values: unknown[]): Promise<object[]> {
  client.corkUntil(process.nextTick);
  const begin = client.query(beginOf(client));
  const [, outcome, ended] = await Promise.allSettled([begin, send(client, text, values), client.query('commit')]);
  if (outcome.status === 'rejected') throw outcome.reason;
  if (ended.status === 'rejected') throw ended.reason;
  return outcome.value;
}
