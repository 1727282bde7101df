/**
 * Reads for exports, all from one snapshot of the database. They have their own connections, so a slow reader never
 * blocks requests.
 */
import { createBound } from '../shared/bound.ts';
import { unavailable } from '../shared/errors.ts';
import { beginOf, type ConnectionTarget } from './client.ts';
import { createPool, isNotRolledBack } from './pool.ts';
import type { Replica, Seen } from './replica.ts';
import type { Db } from './sql.ts';

/** A snapshot prevents vacuum in the whole database, so it has a time limit. */
const MAX_MS = 1_800_000;
const IDLE_MS = 120_000;
const SETTINGS = `set transaction isolation level repeatable read, read only; set local idle_in_transaction_session_timeout = ${IDLE_MS}`;

/**
 * `max`: concurrent exports. If there are several, one business can use all but one of them. Further exports get 503.
 */
export function createSnapshots(target: ConnectionTarget, max: number, replica?: Replica | null) {
  const pool = createPool(target, { max, applicationName: 'souk-snapshots' });
  const exports = createBound({ max, maxPer: { business: Math.max(max - 1, 1) } });

  return {
    /**
     * All statements of `read` see the same snapshot. Items are streamed with backpressure. `seen`: the position that the client has seen, or
     * undefined to read from the primary.
     */
    async *read<T>(businessId: string, read: (db: Db) => AsyncIterable<T>, seen?: Seen): AsyncGenerator<T> {
      const leave = exports.enter({ business: businessId });
      if (!leave) throw unavailable('Too many exports are running. Try again later.');
      const end = Date.now() + MAX_MS;
      try {
        const onReplica = seen === undefined ? null : await replica?.reserve(seen);
        const reserved = onReplica ?? (await pool.reserve());
        try {
          await reserved.client.query(`${beginOf(reserved.client)}; ${SETTINGS}`);
          for await (const item of read(reserved)) {
            if (Date.now() > end) throw new Error(`The export took longer than ${MAX_MS / 60_000} minutes`);
            yield item;
          }
        } finally {
          // There is nothing to commit, and the reader may have stopped early.
          const isBroken = await reserved.client.query('rollback').then(isNotRolledBack, () => true);
          reserved.release(isBroken);
        }
      } finally {
        leave();
      }
    },
    end: pool.end,
  };
}
