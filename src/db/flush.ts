/** Commits that release their locks before they are on disk, and the flush that waits for the disk. */
import type { Db, Statement, Tx } from './sql.ts';

/** An empty record that is committed normally: when it is on disk, so is everything before it. */
export const FLUSH = "select pg_logical_emit_message(true, 'souk', '')";

/** In a normally committed transaction: waits until all earlier commits, of any client, are on disk. */
export async function flushCommits(db: Db): Promise<void> {
  await db.text(FLUSH);
}

/** A marker: the pool doesn't send this statement, but commits early. */
export const RELEASE_EARLY = 'set local synchronous_commit = off';

/** Must be followed by a flush. */
export const COMMIT_UNFLUSHED = `${RELEASE_EARLY}; commit`;

/** One message, so that a pooler runs the flush in the session of the commit. */
export const COMMIT_AND_FLUSH = `${COMMIT_UNFLUSHED}; ${FLUSH}`;

/**
 * Groups the flushes of commits on several connections to one server: commits made while a flush is running share the next flush, which
 * runs on the connection of the first commit. A crash of PostgreSQL ends all connections, so a successful flush proves that it has not
 * crashed since the commits. Returns the result of the flush.
 */
export function createGroupFlush<Connection, Result>(flush: (connection: Connection) => Promise<Result>) {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | null = null;

  return (connection: Connection): Promise<Result> => {
    next ??= running
      .catch(() => {})
      .then(() => {
        running = next!;
        next = null;
        return flush(connection);
      });
    return next;
  };
}

/** A write-ahead log position after all earlier commits. `FLUSH` returns one too. */
export const LOCATE = 'select pg_current_wal_insert_lsn()';

/** One message, for the same reason. */
export const COMMIT_AND_LOCATE = `commit; ${LOCATE}`;

/**
 * Releases the locks of the transaction at the commit, before it is on disk, because others wait for its counter. The transaction
 * still returns only once the commit is on disk, as in `pipeline.ts`.
 */
export const releaseEarly = (tx: Tx): Statement<object[]> => tx.text(RELEASE_EARLY);
