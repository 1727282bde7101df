import type { Db } from '../src/db/sql.ts';

/** Resolves when the request is answered or, as it should, waits for a lock that the test holds. */
export async function whenWaitingForLock(db: Db, request: Promise<unknown>): Promise<void> {
  let isAnswered = false;
  request.then(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    const waiting = await db`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    if (waiting.length > 0) return;
  }
}
