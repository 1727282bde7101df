import type { Db } from '../src/db/sql.ts';

/** Resolves when this many statements wait for a lock that the test holds. */
export async function whenWaitingForLock(db: Db, count: number): Promise<void> {
  for (;;) {
    const waiting = await db`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    if (waiting.length >= count) return;
  }
}
