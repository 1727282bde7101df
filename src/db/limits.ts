import { createHash } from 'node:crypto';
import { rateLimited } from '../shared/errors.ts';
import { mailboxKey } from '../shared/text/email.ts';
import type { Tx } from './sql.ts';

/** `max` calls per key in a window that starts with the first call. All processes on the database share the count. */
export type Limit = Readonly<{ name: string; max: number; windowSeconds: number }>;

export type Count = { count: number; resetsAt: number };

/** The part of a context that counting needs: one statement, outside a transaction. */
export type Counting = { readonly now: number; write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T> };

/** Counts this call, regardless of its outcome. Throws 429 if it exceeds the limit. */
export async function consumeLimit(ctx: Counting, limit: Limit, key: string): Promise<void> {
  const { count, resetsAt } = await countCalls(ctx, limit, key, 1);
  if (count > limit.max) throw rateLimited(resetsAt - ctx.now);
}

type MailCounting = Counting & { readonly config: { readonly limits: { readonly messages: number } } };

/**
 * Counts an email that someone may have requested for someone else's address. Each address gets a limited number of these
 * emails per hour, of all kinds together.
 */
export const consumeMailLimit = (ctx: MailCounting, email: string): Promise<void> =>
  consumeLimit(ctx, mailLimit(ctx), mailboxKey(email));

/** Resets the limit after a user opens an emailed link, so that they can request more emails. */
export const resetMailLimit = (ctx: Pick<MailCounting, 'config'> & { readonly db: Tx }, email: string): Promise<void> =>
  resetLimit(ctx, mailLimit(ctx), mailboxKey(email));

const mailLimit = ({ config }: Pick<MailCounting, 'config'>): Limit => ({
  name: 'mail',
  max: config.limits.messages,
  windowSeconds: 3600,
});

/** Allows this many calls beyond the limit until `untilSeconds`. A success doesn't reset this. */
export async function allowMore(
  ctx: { readonly db: Tx },
  limit: Limit,
  key: string,
  more: { calls: number; untilSeconds: number },
): Promise<void> {
  const { calls, untilSeconds } = more;
  await ctx.db`insert into limits (key, count, resets_at) values (${keyOf(limit, key)}, ${-calls}, ${untilSeconds})
    on conflict (key) do update set count = excluded.count, resets_at = excluded.resets_at`;
}

/** Resets the count after a success. */
export async function resetLimit(ctx: { readonly db: Tx }, limit: Limit, key: string): Promise<void> {
  await ctx.db`delete from limits where key = ${keyOf(limit, key)} and count > 0`;
}

/**
 * Counts and returns the count atomically, so that concurrent calls get distinct numbers. Beyond the limit the count
 * does not change.
 */
export async function countCalls(ctx: Counting, limit: Limit, key: string, calls: number): Promise<Count> {
  const { max, windowSeconds } = limit;
  const [counted] = await ctx.write(
    (tx) => tx<Count[]>`
      insert into limits as l (key, count, resets_at)
      values (${keyOf(limit, key)}, least(${calls}::int, ${max + 1}::int), ${ctx.now + windowSeconds})
      on conflict (key) do update set
        count = case when l.resets_at <= ${ctx.now} then excluded.count else least(l.count + ${calls}::int, ${max + 1}) end,
        resets_at = case when l.resets_at <= ${ctx.now} then excluded.resets_at else l.resets_at end
      returning count, resets_at`,
  );
  return counted!;
}

export async function deleteExpiredLimits(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from limits where resets_at <= ${nowSeconds}`;
}

/** Hashed, so that the table does not reveal users or addresses. */
const keyOf = (limit: Limit, key: string) => `${limit.name}:${createHash('sha256').update(key).digest('base64url')}`;
