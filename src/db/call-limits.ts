/**
 * Limits on frequent, cheap calls such as quotes: per user and per IP address, shared by all processes. Far below the limit, a call
 * needs no statement. A process counts locally and reports to the database after a share of the
 * remaining calls. So several processes together can exceed the limit slightly, as described in docs/decisions/limits.md.
 */

import { rateLimited } from '../shared/errors.ts';
import { addressKey } from '../shared/text/address-key.ts';
import { type Counting, countCalls, type Limit } from './limits.ts';

type CallLimitName = 'checkout' | 'cart' | 'subscribe' | 'quote' | 'mail' | 'webhookTest';

const WINDOW_SECONDS = 300;
/** A process reports to the database after this share of the remaining calls. */
const SHARE = 1 / 20;
const MAX_COUNTERS = 50_000;

/** `reported`: the count of all processes when this one last reported; `unreported`: this process's calls since then. */
type Counter = { reported: number; unreported: number; resetsAt: number };
type Maxima = Readonly<Record<CallLimitName, Readonly<{ user: number; address: number }>>>;

export type CallLimits = ReturnType<typeof createCallLimits>;

/** The required part of a context: a request with a caller, outside a transaction. */
type CallerContext = Counting & {
  readonly caller: { readonly userId: string };
  readonly address: string;
  readonly callLimits: CallLimits;
};

/** Counts this call for its user and IP address. Throws 429 if either exceeds its limit. */
export async function consumeCallLimit(ctx: CallerContext, name: CallLimitName): Promise<void> {
  const { user, address } = ctx.callLimits.maxima[name];
  await ctx.callLimits.consume(ctx, limitOf(`${name}-user`, user), ctx.caller.userId);
  await ctx.callLimits.consume(ctx, limitOf(`${name}-address`, address), addressKey(ctx.address));
}

export function createCallLimits(maxima: Maxima) {
  const counters = new Map<string, Counter>();

  function counterOf(id: string, nowSeconds: number): Counter {
    const known = counters.get(id);
    if (known && known.resetsAt > nowSeconds) return known;
    const counter = { reported: 0, unreported: 0, resetsAt: nowSeconds + WINDOW_SECONDS };
    // Move to the end of the map, so that the first entries are the oldest.
    counters.delete(id);
    counters.set(id, counter);
    if (counters.size > MAX_COUNTERS) counters.delete(counters.keys().next().value!);
    return counter;
  }

  return {
    maxima,
    /** Throws 429 if the limit is exceeded, and counts nothing. */
    check(ctx: Counting, limit: Limit, key: string): void {
      const counter = counters.get(`${limit.name}:${key}`);
      if (counter && counter.resetsAt > ctx.now && counter.reported > limit.max)
        throw rateLimited(counter.resetsAt - ctx.now);
    },
    async consume(ctx: Counting, limit: Limit, key: string): Promise<void> {
      const counter = counterOf(`${limit.name}:${key}`, ctx.now);
      if (counter.reported > limit.max) throw rateLimited(counter.resetsAt - ctx.now);
      counter.unreported += 1;
      if (counter.unreported < (limit.max - counter.reported) * SHARE) return;
      const calls = counter.unreported;
      // Set before the response arrives, so that a burst can't pass in the meantime.
      counter.reported += calls;
      counter.unreported = 0;
      const { count, resetsAt } = await countCalls(ctx, limit, key, calls);
      counter.reported = resetsAt > counter.resetsAt ? count : Math.max(counter.reported, count);
      counter.resetsAt = resetsAt;
      if (count > limit.max) throw rateLimited(resetsAt - ctx.now);
    },
  };
}

const limitOf = (name: string, max: number): Limit => ({ name, max, windowSeconds: WINDOW_SECONDS });
