/** Commits that release their locks before they are on disk, and the flush that waits for the disk. */
import type { Db, Statement, Tx } from './sql.ts';

/** An empty record that is committed normally: when it is on disk, so is everything before it. */
export const FLUSH = "select pg_logical_emit_message(true, 'souk', '')";

/** In a normally committed transaction: waits until all earlier commits, of any client, are on disk. */
export async function flushCommits(db: Db): Promise<void> {
  await db.text(FLUSH);
}

/** A marker: the pool doesn't send this statement, but commits with `COMMIT_EARLY`. */
export const RELEASE_EARLY = 'set local synchronous_commit = off';

/** One message, so that a pooler runs the flush in the session of the commit. */
export const COMMIT_EARLY = `${RELEASE_EARLY}; commit; ${FLUSH}`;

/** The position of the write-ahead log, after all earlier commits. `FLUSH` returns one too. */
export const LOCATE = 'select pg_current_wal_insert_lsn()';

/** One message for the same reason. */
export const COMMIT_AND_LOCATE = `commit; ${LOCATE}`;

/**
 * Releases the locks of the transaction at the commit, before it is on disk, because others wait for its counter. The transaction
 * still returns only once the commit is on disk, as in `pipeline.ts`.
 */
export const releaseEarly = (tx: Tx): Statement<object[]> => tx.text(RELEASE_EARLY);
