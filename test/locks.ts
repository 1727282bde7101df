import type { Db } from '../src/db/sql.ts';

const WAITING = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

/** The sessions on this database that wait for a lock, on whichever node of a cluster. */
export const listWaiting = (db: Db) =>
  process.env.CITUS_BIN
    ? db.text(`select from run_command_on_all_nodes($$${WAITING} limit 1$$) where result <> ''`)
    : db.text(WAITING);

/** Resolves when the request is answered or, as it should, waits for a lock that the test holds. */
export async function whenWaitingForLock(db: Db, request: Promise<unknown>): Promise<void> {
  let isAnswered = false;
  const end = () => {
    isAnswered = true;
  };
  request.then(end, end);
  while (!isAnswered) {
    if ((await listWaiting(db)).length > 0) return;
  }
}
