import type { Db } from '../src/db/sql.ts';

const WAITING = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

/** Sessions on this database that wait for a lock, on any node of a cluster. */
export const listWaiting = (db: Db) =>
  process.env.CITUS_BIN
    ? db.text(`select string_to_table(result, ',') as pid from run_command_on_all_nodes($$
        select string_agg(pid::text, ',') from (${WAITING}) w$$) where result <> ''`)
    : db.text(WAITING);

/** Resolves when the request waits for a lock held by the test, or completes. `sessions`: how many sessions must wait. */
export async function whenWaitingForLock(db: Db, request: Promise<unknown>, sessions = 1): Promise<void> {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  request.then(end, end);
  while (!isSettled) {
    if ((await listWaiting(db)).length >= sessions) return;
  }
}
