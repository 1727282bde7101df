import { beginOf } from './client.ts';
import { isConnectionLost } from './errors.ts';
import { PLAN_MODE } from './plans.ts';
import type { Pool, Reserved } from './pool.ts';
import { retried } from './retry.ts';
import { send } from './send.ts';
import { createTx, type Db, type Statement, type Tx } from './sql.ts';

/** A statement called `abort_transaction`: nothing of the transaction was written. */
export class Aborted extends Error {
  readonly reason: string;
  readonly detail: string;

  constructor(reason: string, detail: string) {
    super(`The transaction was aborted: ${reason}.`);
    this.reason = reason;
    this.detail = detail;
  }
}

type Statements = (tx: Tx) => Statement<object[]>[];
type Trip = { statements: Statements; resolve: () => void; reject: (error: unknown) => void };
/** `sendMore`: the queue has a connection, and more may join those that are under way. */
type Queue = { waiting: Trip[]; sendMore: (() => void) | null };

/** The statements find their rows by key: a plan from when a table was small must not read all of it. */
const settingsOf = (plans: string) =>
  `set local synchronous_commit = off; set local plan_cache_mode = ${plans}; set local enable_seqscan = off`;
/** An empty record that is written like any commit: when it is on the disk, so is everything before it. */
const FLUSH = "select pg_logical_emit_message(true, 'souk', '')";
/** While two groups are under way, those who come wait and are a group together: the busier, the fewer flushes for each. */
const MAX_GROUPS = 2;
const MAX_GROUP_SIZE = 16;
/** Transactions that a queue sends before it lets others have its connection. */
const MAX_PER_CONNECTION = 128;

/**
 * Runs a transaction in one round trip: BEGIN, the statements in their order and COMMIT go out together. For rows that many
 * want at once: they are locked while PostgreSQL works on these statements, and not while it waits for us or for its disk.
 * A statement that finds that it cannot be done calls `abort_transaction`, which raises `Aborted` here.
 *
 * Transactions of one queue would only wait for each other's locks, on as many connections. So they share one and follow each
 * other there without a pause.
 *
 * The COMMIT does not wait for the disk. A flush behind it does, for all that went out together, on the same connection: if
 * PostgreSQL crashes in between, the connection is lost and with it the flush, so that nobody is told of a commit that did not
 * survive. Whoever reads the rows in between and writes something comes later in the same log, so nothing that survives a
 * crash depends on something that did not.
 */
export function createOneTrip(pool: Pool) {
  /** A queue is there exactly while it has trips that wait or are under way. */
  const queues = new Map<string, Queue>();
  let settings: string | null = null;

  async function sendAll(name: string, queue: Queue): Promise<void> {
    while (queue.waiting.length > 0) {
      try {
        settings ??= settingsOf((await pool.text<[{ plans: string }]>(PLAN_MODE))[0].plans);
        const reserved = await pool.reserve();
        reserved.release(await sendQueue(reserved, queue, settings));
      } catch (error) {
        for (const trip of queue.waiting.splice(0)) trip.reject(error);
      }
    }
    queues.delete(name);
  }

  function join(name: string, statements: Statements): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const trip = { statements, resolve, reject };
    const queue = queues.get(name);
    if (queue) {
      queue.waiting.push(trip);
      queue.sendMore?.();
    } else {
      const begun: Queue = { waiting: [trip], sendMore: null };
      queues.set(name, begun);
      void sendAll(name, begun);
    }
    return promise;
  }

  return async function oneTrip(queue: string, statements: Statements): Promise<void> {
    try {
      await retried(() => join(queue, statements));
    } catch (error) {
      throw asAborted(error);
    }
  };
}

export type OneTrip = ReturnType<typeof createOneTrip>;

/** In a transaction that commits as usual: waits until everything that was committed before, by anybody, is on the disk. */
export async function flushCommits(db: Db): Promise<void> {
  await db.text(FLUSH);
}

/** Sends the trips that wait, and those that join them meanwhile, until none is under way any more. True: the connection is lost. */
async function sendQueue({ client }: Reserved, queue: Queue, settings: string): Promise<boolean> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const run = (text: string, values: unknown[]) => send(client, text, values);
  const begin = `${beginOf(client)}; ${settings}`;
  let groups = 0;
  let left = MAX_PER_CONNECTION;
  let isBroken = false;

  /** Those that wait now, as many as may, and one flush behind them all. */
  async function sendGroup(trips: Trip[]): Promise<void> {
    const outcomes = trips.map(({ statements }) => sendTransaction(run, begin, statements));
    const flushed = run(FLUSH, []).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    for (const [i, outcome] of outcomes.entries()) {
      const failed = (await outcome) ?? (await flushed);
      if (failed) trips[i]!.reject(failed.error);
      else trips[i]!.resolve();
      if (failed && isConnectionLost(failed.error)) isBroken = true;
    }
    await flushed;
    groups--;
    queue.sendMore?.();
  }

  queue.sendMore = () => {
    if (isBroken) left = 0;
    const size = groups < MAX_GROUPS ? Math.min(left, MAX_GROUP_SIZE, queue.waiting.length) : 0;
    if (size > 0) {
      groups++;
      left -= size;
      void sendGroup(queue.waiting.splice(0, size));
    }
    if (groups > 0) return;
    queue.sendMore = null;
    end();
  };
  queue.sendMore();
  await ended;
  return isBroken;
}

/** Resolves when nothing of the transaction is on its way any more, with the error of the statement that failed first. */
async function sendTransaction(
  run: (text: string, values: unknown[]) => Promise<object[]>,
  begin: string,
  statements: Statements,
): Promise<{ error: unknown } | null> {
  const made = statements(createTx(run));
  const all = [run(begin, []), ...made.map((statement) => statement.execute()), run('commit', [])];
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected');
  return failed ? { error: (failed as PromiseRejectedResult).reason } : null;
}

function asAborted(error: unknown): unknown {
  const { code, message, detail } = error as { code?: string; message?: string; detail?: string };
  return code === 'SK001' ? new Aborted(message ?? '', detail ?? '') : error;
}
