import { isConnectionLost, isRetryable, type Pool, type Tx } from './connection.ts';

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

/** A statement as postgres.js makes it: nothing is sent before it is executed. A function that waits for it is none. */
export type Statement = Promise<unknown> & { execute(): unknown };
/** `sendMore`: some are under way, and more may join them. */
type Line = { waiting: Trip[]; sendMore: (() => void) | null };
type Trip = { statements: (tx: Tx) => Statement[]; resolve: () => void; reject: (error: unknown) => void };

const BEGIN = 'begin; set local synchronous_commit = off; set local plan_cache_mode = force_generic_plan';
const FLUSH = "select pg_logical_emit_message(true, 'souk', '')";
/** Transactions of a line that are under way at once, and that a line sends before it lets others have its connection. */
const UNDER_WAY = 8;
const TURN = 32;

/**
 * Runs a transaction in one round trip: BEGIN, the statements in their order and COMMIT go out together. For rows that many
 * want at once: they are locked while PostgreSQL works on these statements, and not while it waits for us or for its disk.
 * A statement that finds that it cannot be done calls `abort_transaction`, which raises `Aborted` here.
 *
 * Transactions on one `line` would only wait for each other's locks, on as many connections. So they share one and follow
 * each other there without a pause.
 *
 * The COMMIT does not wait for the disk. Another statement does, for everybody's commits together, and only then is this
 * done. Who sees the rows in between and writes something himself comes later in the same log, so nothing that survives a
 * crash stands on something that did not.
 */
export function createOneTrip(pool: Pool) {
  /** A line is there exactly while it has trips that wait or are under way. */
  const lines = new Map<string, Line>();
  const flushed = createGroupFlush(pool);

  async function sendAll(name: string, line: Line): Promise<void> {
    while (line.waiting.length > 0) {
      try {
        const connection = await pool.reserve();
        await takeTurn(connection, line, flushed);
        connection.release();
      } catch (error) {
        for (const trip of line.waiting.splice(0)) trip.reject(error);
      }
    }
    lines.delete(name);
  }

  function join(name: string, statements: (tx: Tx) => Statement[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const trip = { statements, resolve, reject };
    const line = lines.get(name);
    if (line) {
      line.waiting.push(trip);
      line.sendMore?.();
    } else {
      const begun: Line = { waiting: [trip], sendMore: null };
      lines.set(name, begun);
      void sendAll(name, begun);
    }
    return promise;
  }

  return async function inOneTrip(line: string, statements: (tx: Tx) => Statement[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await join(line, statements);
      } catch (error) {
        if (attempt < 3 && isRetryable(error)) continue;
        throw asAborted(error);
      }
    }
  };
}

export type InOneTrip = ReturnType<typeof createOneTrip>;

/** Waits until everything that was committed before, by anybody, is on the disk. */
export async function flushCommits(db: Pool | Tx): Promise<void> {
  await db.unsafe(FLUSH);
}

/** The same for many who ask at once: those who come while one flush is under way share the next. */
function createGroupFlush(pool: Pool): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const flush = flushCommits(pool);
      running = flush.catch(() => {});
      return flush;
    });
    return next;
  };
}

type Connection = Awaited<ReturnType<Pool['reserve']>>;

/** Sends the trips that wait, and those that join them meanwhile, until none is under way any more. */
async function takeTurn(connection: Connection, line: Line, flushed: () => Promise<void>): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let underWay = 0;
  let left = TURN;

  async function travel(trip: Trip): Promise<void> {
    try {
      await send(connection, trip);
      flushed().then(trip.resolve, trip.reject);
    } catch (error) {
      trip.reject(error);
      if (isConnectionLost(error)) left = 0;
    }
    underWay--;
    line.sendMore?.();
  }

  line.sendMore = () => {
    for (; left > 0 && underWay < UNDER_WAY && line.waiting.length > 0; left--) {
      underWay++;
      void travel(line.waiting.shift()!);
    }
    if (underWay > 0) return;
    line.sendMore = null;
    end();
  };
  line.sendMore();
  await ended;
}

/** Settles only when nothing of the transaction is on its way any more. Raises the error of the statement that failed first. */
async function send(connection: Connection, { statements }: Trip): Promise<void> {
  const all: Statement[] = [
    connection.unsafe(BEGIN),
    ...statements(connection as unknown as Tx),
    connection.unsafe('commit'),
  ];
  for (const statement of all) statement.execute();
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

function asAborted(error: unknown): unknown {
  const { code, message, detail } = error as { code?: string; message?: string; detail?: string };
  return code === 'SK001' ? new Aborted(message ?? '', detail ?? '') : error;
}
