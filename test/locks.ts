import type { Db } from '../src/db/sql.ts';

/** Resolves when each of these requests is answered or, as it should, waits for a lock that the test holds. */
export async function whenWaitingForLock(db: Db, requests: Promise<unknown>[]): Promise<void> {
  let answered = 0;
  for (const request of requests) request.then(() => answered++);
  for (;;) {
    const waiting = await db`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    if (waiting.length + answered >= requests.length) return;
  }
}
