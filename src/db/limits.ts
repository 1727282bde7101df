import type { Clock } from '../shared/clock.ts';
import { rateLimited } from '../shared/errors.ts';
import type { Pool } from './pool.ts';
import type { Tx } from './sql.ts';

/** `max` calls with one key in a window that begins with the first of them. */
export type Limit = Readonly<{ name: string; max: number; windowSeconds: number }>;

/** Counters that all processes on the database share. */
export function createLimits({ pool, clock }: { pool: Pool; clock: Clock }) {
  return {
    /** Counts this call, whatever becomes of it, and raises 429 when it is one too many. */
    async spend(limit: Limit, key: string): Promise<void> {
      const now = clock.seconds();
      const { count, resetsAt } = await pool.write((tx) => countCall(tx, limit, key, now));
      if (count > limit.max) throw rateLimited(resetsAt - now);
    },
    /** Begins anew, after a success. */
    forgive: (tx: Tx, limit: Limit, key: string): Promise<void> => deleteCount(tx, limit, key),
  };
}

export type Limits = ReturnType<typeof createLimits>;

export async function deleteExpiredLimits(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from limits where resets_at <= ${nowSeconds}`;
}

const keyOf = (limit: Limit, key: string) => `${limit.name}:${key}`;

/** One statement, so that calls at the same moment cannot share a place. Past the limit the count stays where it is. */
async function countCall(tx: Tx, limit: Limit, key: string, now: number) {
  const [row] = await tx<{ count: number; resetsAt: number }[]>`
    insert into limits as l (key, count, resets_at) values (${keyOf(limit, key)}, 1, ${now + limit.windowSeconds})
    on conflict (key) do update set
      count = case when l.resets_at <= ${now} then 1 else least(l.count + 1, ${limit.max + 1}) end,
      resets_at = case when l.resets_at <= ${now} then excluded.resets_at else l.resets_at end
    returning count, resets_at`;
  return row!;
}

async function deleteCount(tx: Tx, limit: Limit, key: string): Promise<void> {
  await tx`delete from limits where key = ${keyOf(limit, key)}`;
}
