import { createBound } from '../shared/bound.ts';
import { rateLimited } from '../shared/errors.ts';
import { prepareScan } from './prepare-scan.ts';
import type { Db } from './sql.ts';

/** The time limit for a scan in a request. */
const MAX_MS = 10_000;
const RETRY_SECONDS = 1;

/** Runs statements that join all rows of a business, for requests: only a few at once, to leave connections and CPU time for other requests. */
export function createScans() {
  const scans = createBound({ max: 4, maxPer: { business: 2 } });

  /** Throws 429 if too many are running. */
  return async function scan<T>(
    pool: { transaction<R>(work: (db: Db) => Promise<R>): Promise<R> },
    businessId: string,
    read: (db: Db) => Promise<T>,
  ): Promise<T> {
    const leave = scans.enter({ business: businessId });
    if (!leave) throw rateLimited(RETRY_SECONDS);
    try {
      return await pool.transaction(async (db) => {
        await prepareScan(db, MAX_MS);
        return read(db);
      });
    } finally {
      leave();
    }
  };
}
