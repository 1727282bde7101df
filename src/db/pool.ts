/** The pool. Only the wiring and this folder know it; everybody else is handed a `Db` or a `Tx`. */
import pg from 'pg';
import { beginOf, Client, type ConnectionTarget, clientConfig, endWithin, settingsOf } from './client.ts';
import { isAfterFailure, isConnectionLost, tooBusy } from './errors.ts';
import { retried } from './retry.ts';
import { send } from './send.ts';
import { createDb, createTx, type Db, type Tx } from './sql.ts';

export type { ConnectionTarget } from './client.ts';

type PoolOptions = { max?: number; applicationName?: string };

/** A connection that nobody else uses until it is given back. */
export type Reserved = Db & {
  client: Client;
  /** True: the connection is in a state that nobody knows, so it is closed. */
  release(isBroken?: boolean): void;
};

export type Pool = Db & {
  /** The same without what follows, to hand out: each statement takes a connection and gives it back. */
  db: Db;
  /** All of it is written, or nothing. A serialization failure or deadlock is tried again, because `work` has left no trace. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One statement that writes, as a transaction of its own, and tried again like one. */
  write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T>;
  /** A connection for work that is bound to one. Raises 503 when none is free within five seconds. */
  reserve(): Promise<Reserved>;
  /** Raises when it cannot run a transaction. Says nothing while all of its connections are at work: they show that it can. */
  probe(): Promise<void>;
  end(): Promise<void>;
};

export function createPool(target: ConnectionTarget, { max = 10, applicationName = 'souk' }: PoolOptions = {}): Pool {
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
      throw error.message.startsWith('timeout exceeded') ? tooBusy() : error;
    });
    return { client: taken as unknown as Client, release: (isBroken = false) => taken.release(isBroken) };
  }

  async function reserve(): Promise<Reserved> {
    const acquired = await acquire();
    const db = createDb((text, values) => send(acquired.client, text, values, !acquired.client.isPooled));
    return Object.assign(db, acquired);
  }

  async function run(text: string, values: unknown[]): Promise<object[]> {
    const { client, release } = await acquire();
    let isBroken = false;
    try {
      return await (client.isPooled ? sendAlone(client, text, values) : send(client, text, values));
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
    let cause: unknown;
    const tx = createTx(async (text, values) => {
      if (hasEnded) throw new Error('This transaction has ended: a statement came too late.');
      return send(client, text, values, !client.isPooled).catch((error) => {
        cause ??= error;
        throw error;
      });
    });
    try {
      // The first statement follows BEGIN in the same packet. If BEGIN fails, so does everything behind it.
      client.corkUntil(process.nextTick);
      const begun = client.query(beginOf(client));
      begun.catch(() => {});
      const result = await work(tx);
      hasEnded = true;
      const [, { command }] = await Promise.all([begun, client.query('commit')]);
      isBroken = false;
      if (command !== 'COMMIT') throw cause ?? new Error('A statement of this transaction failed: it was rolled back.');
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

  const writer = createTx(run);
  return Object.assign(createDb(run), {
    db: createDb(run),
    transaction: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => retried(() => transactOnce(work)),
    write: <T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T> => retried(() => statement(writer)),
    reserve,
    async probe(): Promise<void> {
      if (pool.idleCount > 0 || pool.totalCount < max) await transactOnce((tx) => tx`select 1`);
    },
    end: () => endWithin(pool.end(), clients),
  });
}

const isNotRolledBack = ({ command }: { command: string }) => command !== 'ROLLBACK';

/** A statement with the time limits of a transaction, in one round trip: its session may be anybody's. */
async function sendAlone(client: Client, text: string, values: unknown[]): Promise<object[]> {
  client.corkUntil(process.nextTick);
  const begun = client.query(beginOf(client));
  const [, outcome, ended] = await Promise.allSettled([begun, send(client, text, values), client.query('commit')]);
  if (outcome.status === 'rejected') throw outcome.reason;
  if (ended.status === 'rejected') throw ended.reason;
  return outcome.value;
}
