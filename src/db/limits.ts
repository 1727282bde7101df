import { rateLimited } from '../shared/errors.ts';
import type { Tx } from './sql.ts';

/** `max` calls with one key in a window that begins with the first of them. All processes on the database share the count. */
export type Limit = Readonly<{ name: string; max: number; windowSeconds: number }>;

type Count = { count: number; resetsAt: number };

/** The part of a context that is needed to count: one statement, and no transaction around it. */
type Counting = { readonly now: number; write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T> };

/** Counts this call, whatever becomes of it, and raises 429 when it is one too many. */
export async function spend(ctx: Counting, limit: Limit, key: string): Promise<void> {
  const [counted] = await ctx.write((tx) => countCall(tx, limit, key, ctx.now));
  checkCount(limit, counted!, ctx.now);
}

/** Begins anew, after a success. */
export async function forgive(ctx: { readonly db: Tx }, limit: Limit, key: string): Promise<void> {
  await ctx.db`delete from limits where key = ${keyOf(limit, key)}`;
}

/**
 * A statement, also for use inside another one. It counts and tells the count at once, so that of two calls at the same
 * moment each has its own number. Past the limit the count stays as it is.
 */
const countCall = (tx: Tx, limit: Limit, key: string, nowSeconds: number) => tx<Count[]>`
  insert into limits as l (key, count, resets_at) values (${keyOf(limit, key)}, 1, ${nowSeconds + limit.windowSeconds})
  on conflict (key) do update set
    count = case when l.resets_at <= ${nowSeconds} then 1 else least(l.count + 1, ${limit.max + 1}) end,
    resets_at = case when l.resets_at <= ${nowSeconds} then excluded.resets_at else l.resets_at end
  returning count, resets_at`;

/** Raises 429 when there were more calls than the limit allows. */
function checkCount(limit: Limit, { count, resetsAt }: Count, nowSeconds: number): void {
  if (count > limit.max) throw rateLimited(resetsAt - nowSeconds);
}

export async function deleteExpiredLimits(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from limits where resets_at <= ${nowSeconds}`;
}

const keyOf = (limit: Limit, key: string) => `${limit.name}:${key}`;
