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

const BEGIN = 'begin; set local synchronous_commit = off';
const FLUSH = "select pg_logical_emit_message(true, 'souk', '')";

/**
 * Runs a transaction in one round trip: BEGIN, the statements in their order and COMMIT go out together. For rows that many
 * want at once: they are locked while PostgreSQL works on these statements, and not while it waits for us or for its disk.
 * A statement that finds that it cannot be done calls `abort_transaction`, which raises `Aborted` here.
 *
 * The COMMIT does not wait for the disk; the statement behind it does, for everybody's commits together, and only then is
 * this done. Who sees the rows in between and writes something himself comes later in the same log, so nothing that
 * survives a crash stands on something that did not.
 */
export async function inOneTrip(pool: Pool, statements: (tx: Tx) => Statement[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(pool, statements);
    } catch (error) {
      if (attempt < 3 && isRetryable(error)) continue;
      throw asAborted(error);
    }
  }
}

/** Waits until everything that was committed before, by anybody, is on the disk. */
export async function flushCommits(pool: Pool): Promise<void> {
  await pool.unsafe(FLUSH);
}

async function send(pool: Pool, statements: (tx: Tx) => Statement[]): Promise<void> {
  const connection = await pool.reserve();
  const all: Statement[] = [
    connection.unsafe(BEGIN),
    ...statements(connection as unknown as Tx),
    connection.unsafe('commit'),
    connection.unsafe(FLUSH),
  ];
  for (const statement of all) statement.execute();
  const lost = new Promise<never>((_resolve, reject) => {
    for (const statement of all) statement.catch((error) => isConnectionLost(error) && reject(error));
  });
  // A connection that is lost has left the pool by itself. Any other is given back once nothing of ours is on its way.
  await Promise.race([Promise.allSettled(all), lost]);
  connection.release();
  await Promise.all(all);
}

function asAborted(error: unknown): unknown {
  const { code, message, detail } = error as { code?: string; message?: string; detail?: string };
  return code === 'SK001' ? new Aborted(message ?? '', detail ?? '') : error;
}
