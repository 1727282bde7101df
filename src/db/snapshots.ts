/**
 * Reads that see one moment, for as long as they take: exports. They have connections of their own, few of them, so that one whose
 * reader is slow takes none from requests.
 */
import { createBound } from '../shared/bound.ts';
import { unavailable } from '../shared/errors.ts';
import { beginOf, type ConnectionTarget } from './client.ts';
import { createPool } from './pool.ts';
import type { Db } from './sql.ts';

/** As many exports at once as a process runs. Those beyond are told to come again. */
const MAX_AT_ONCE = 3;
/** Of one business: whoever reads slowly leaves others a chance. */
const MAX_OF_BUSINESS = 2;
/** A snapshot keeps old rows alive in the whole database: it ends after this long, whoever reads. */
const MAX_MS = 1_800_000;
const IDLE_MS = 120_000;
const SETTINGS = `set transaction isolation level repeatable read, read only; set local idle_in_transaction_session_timeout = ${IDLE_MS}`;

export function createSnapshots(target: ConnectionTarget) {
  const pool = createPool(target, { max: MAX_AT_ONCE, applicationName: 'souk-snapshots' });
  const exports = createBound({ inAll: MAX_AT_ONCE, ofOwner: MAX_OF_BUSINESS });

  return {
    /** `read` gets a handle whose statements all see the same moment. What it yields is passed on at the reader's pace. */
    async *read<T>(businessId: string, read: (db: Db) => AsyncIterable<T>): AsyncGenerator<T> {
      const leave = exports.enter(businessId);
      if (!leave) throw unavailable('Too many exports are running. Try again soon.');
      const end = Date.now() + MAX_MS;
      try {
        const reserved = await pool.reserve();
        let isBroken = true;
        try {
          await reserved.client.query(`${beginOf(reserved.client)}; ${SETTINGS}`);
          for await (const item of read(reserved)) {
            if (Date.now() > end) throw new Error(`The export took longer than ${MAX_MS / 60_000} minutes.`);
            yield item;
          }
          await reserved.client.query('commit');
          isBroken = false;
        } finally {
          // Whoever stops reading in the middle leaves a transaction behind: its connection is closed.
          reserved.release(isBroken);
        }
      } finally {
        leave();
      }
    },
    end: pool.end,
  };
}
