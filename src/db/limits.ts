import { createHash } from 'node:crypto';
import { mailboxKey } from '../shared/email.ts';
import { rateLimited } from '../shared/errors.ts';
import type { Tx } from './sql.ts';

/** `max` calls with one key in a window that begins with the first of them. All processes on the database share the count. */
export type Limit = Readonly<{ name: string; max: number; windowSeconds: number }>;

export type Count = { count: number; resetsAt: number };

/** The part of a context that is needed to count: one statement, and no transaction around it. */
export type Counting = { readonly now: number; write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T> };

/** Counts this call, whatever becomes of it, and raises 429 when it is one too many. */
export async function spend(ctx: Counting, limit: Limit, key: string): Promise<void> {
  const { count, resetsAt } = await countCalls(ctx, limit, key, 1);
  if (count > limit.max) throw rateLimited(resetsAt - ctx.now);
}

type MailCounting = Counting & { readonly config: { readonly limits: { readonly messages: number } } };

/** Counts a mail that somebody may have asked for in another's name: so many an hour go to an address, whatever they are about. */
export const spendMail = (ctx: MailCounting, email: string): Promise<void> =>
  spend(ctx, mailLimit(ctx), mailboxKey(email));

/** Who has used a link that was mailed gets further ones. */
export const forgiveMails = (ctx: Pick<MailCounting, 'config'> & { readonly db: Tx }, email: string): Promise<void> =>
  forgive(ctx, mailLimit(ctx), mailboxKey(email));

const mailLimit = ({ config }: Pick<MailCounting, 'config'>): Limit => ({
  name: 'mail',
  max: config.limits.messages,
  windowSeconds: 3600,
});

/** From now on this many calls more than the limit allows are borne, until `untilSeconds`; successes do not end that. */
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

/** Begins anew, after a success. */
export async function forgive(ctx: { readonly db: Tx }, limit: Limit, key: string): Promise<void> {
  await ctx.db`delete from limits where key = ${keyOf(limit, key)} and count > 0`;
}

/**
 * Counts and tells the count at once, so that of two calls at the same moment each has its own number. Past the limit the
 * count stays as it is.
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

/** Hashed: who was counted is nobody's to read. */
const keyOf = (limit: Limit, key: string) => `${limit.name}:${createHash('sha256').update(key).digest('base64url')}`;
