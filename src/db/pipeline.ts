import { beginOf } from './client.ts';
import { isConnectionLost } from './errors.ts';
import { FLUSH } from './flush.ts';
import { PLAN_MODE } from './plans.ts';
import type { Pool, Reserved } from './pool.ts';
import { retried } from './retry.ts';
import { send } from './send.ts';
import { createTx, type Statement, type Tx } from './sql.ts';

/** A statement called `abort_transaction`: nothing was written. */
export class Aborted extends Error {
  readonly reason: string;
  readonly detail: string;

  constructor(reason: string, detail: string) {
    super(`The transaction was aborted: ${reason}`);
    this.reason = reason;
    this.detail = detail;
  }
}

type Statements = (tx: Tx) => Statement<object[]>[];
type Transaction = { statements: Statements; resolve: () => void; reject: (error: unknown) => void };
/** `sendMore`: set while the queue has a connection and more transactions can join. */
type Queue = { waiting: Transaction[]; sendMore: (() => void) | null };

/** The statements find rows by key, so a plan made when the table was small must not scan it. */
const settingsOf = (plans: string) =>
  `set local synchronous_commit = off; set local plan_cache_mode = ${plans}; set local enable_seqscan = off`;
/**
 * While two groups are in flight, new transactions wait and form the next group: the higher the load, the fewer
 * flushes per transaction.
 */
const MAX_GROUPS = 2;
const MAX_GROUP_SIZE = 16;
/** Transactions that a queue sends before it gives up its connection. */
const MAX_PER_CONNECTION = 128;

/**
 * Runs a transaction in one round trip: BEGIN, the statements in order, and COMMIT are sent together. For contended rows: they are
 * locked while PostgreSQL runs these statements, not while it waits for us or for its disk. A statement that can't succeed calls
 * `abort_transaction`, which throws `Aborted` here.
 *
 * On separate connections, transactions of one queue would only wait for each other's locks. So they share one connection and run
 * back to back.
 *
 * The COMMIT does not wait for the disk. A flush after it does, for all transactions sent together, on the same connection. If
 * PostgreSQL crashes in between, the connection and the flush fail, so no caller learns of a commit that did not survive. Other
 * transactions that read the rows in between write later in the same log, so nothing that survives a crash depends on something that
 * did not.
 *
 * `onCommit` is called with a position in the write-ahead log after the commits, before their callers continue.
 */
export function createPipeline(pool: Pool, onCommit?: (lsn: string) => void) {
  /** A queue exists only while it has waiting or running transactions. */
  const queues = new Map<string, Queue>();
  let settings: string | null = null;

  async function sendAll(name: string, queue: Queue): Promise<void> {
    while (queue.waiting.length > 0) {
      try {
        settings ??= settingsOf((await pool.text<[{ plans: string }]>(PLAN_MODE))[0].plans);
        const reserved = await pool.reserve();
        reserved.release(await sendQueue(reserved, queue, settings, onCommit));
      } catch (error) {
        for (const transaction of queue.waiting.splice(0)) transaction.reject(error);
      }
    }
    queues.delete(name);
  }

  function join(name: string, statements: Statements): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const transaction = { statements, resolve, reject };
    const queue = queues.get(name);
    if (queue) {
      queue.waiting.push(transaction);
      queue.sendMore?.();
    } else {
      const queue: Queue = { waiting: [transaction], sendMore: null };
      queues.set(name, queue);
      void sendAll(name, queue);
    }
    return promise;
  }

  return async function pipeline(queue: string, statements: Statements): Promise<void> {
    try {
      await retried(() => join(queue, statements));
    } catch (error) {
      throw asAborted(error);
    }
  };
}

export type Pipeline = ReturnType<typeof createPipeline>;

/**
 * Sends waiting transactions, including those that join in the meantime, until none is in flight. Returns true if the
 * connection is lost.
 */
async function sendQueue(
  { client }: Reserved,
  queue: Queue,
  settings: string,
  onCommit?: (lsn: string) => void,
): Promise<boolean> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const run = (text: string, values: unknown[]) => send(client, text, values);
  const begin = `${beginOf(client)}; ${settings}`;
  let groups = 0;
  let left = MAX_PER_CONNECTION;
  let isBroken = false;

  /** Sends waiting transactions up to the limit, followed by one flush. */
  async function sendGroup(transactions: Transaction[]): Promise<void> {
    const outcomes = transactions.map(({ statements }) => sendTransaction(run, begin, statements));
    const flushed = run(FLUSH, []).then(
      ([row]) => {
        onCommit?.(Object.values(row!)[0]);
        return null;
      },
      (error: unknown) => ({ error }),
    );
    for (const [i, outcome] of outcomes.entries()) {
      const failed = (await outcome) ?? (await flushed);
      if (failed) transactions[i]!.reject(failed.error);
      else transactions[i]!.resolve();
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

/** Resolves when no part of the transaction is in flight, with the error of the first failed statement. */
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
