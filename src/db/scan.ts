import { createBound } from '../shared/bound.ts';
import { rateLimited } from '../shared/errors.ts';
import { LIMITS } from './client.ts';
import type { Pool } from './pool.ts';
import type { Db } from './sql.ts';

/** For a request. */
const MAX_MS = 10_000;
const RETRY_SECONDS = 1;

/**
 * Prepares a transaction for a statement that joins all rows of a business. More memory keeps its hash tables off the disk. Nested loops
 * are fast only if the estimates are right, and compiling the statement would take longer than running it.
 */
export const prepareScan = (db: Db, maxMs = LIMITS.statementMs) => db`
  select set_config('work_mem', '64MB', true), set_config('jit', 'off', true), set_config('cursor_tuple_fraction', '1', true),
    set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true), set_config('statement_timeout', ${String(maxMs)}, true)`;

/** Runs such statements for requests: few at once, so that others find a connection and a processor. */
export function createScans() {
  const scans = createBound({ max: 4, maxPer: { business: 2 } });

  /** Throws 429 if too many are running. */
  return async function scan<T>(
    pool: Pick<Pool, 'transaction'>,
    businessId: string,
    read: (db: Db) => Promise<T>,
  ): Promise<T> {
    const leave = scans.enter({ business: businessId });
    if (!leave) throw rateLimited(RETRY_SECONDS);
    try {
      return await pool.transaction(async (tx) => {
        await prepareScan(tx, MAX_MS);
        return read(tx);
      });
    } finally {
      leave();
    }
  };
}
