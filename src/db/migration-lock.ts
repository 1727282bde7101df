import { type Client, type ConnectionTarget, openClient } from './client.ts';

const MIGRATION_LOCK = 7_301_966_001;

/** Runs `work` on a connection without timeouts: other processes wait as long as the first one takes. */
export async function withMigrationLock<T>(
  target: ConnectionTarget,
  applicationName: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await openClient(target, applicationName);
  try {
    client.silenceMs = Number.POSITIVE_INFINITY;
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    return await work(client);
  } finally {
    // Closing the connection releases the lock and rolls back a failed transaction.
    await client.end();
  }
}
