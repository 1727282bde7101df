/**
 * Limits on calls that are many and cheap, such as quotes: per user and per address, shared by all processes, and free of
 * statements far below the limit. A process counts by itself and tells the database only after a share of what is left, so
 * that several processes together may let through a little more than the limit; docs/decisions/limits.md says how much.
 */
import { addressKey } from '../shared/address-key.ts';
import { rateLimited } from '../shared/errors.ts';
import { type Counting, countCalls, type Limit } from './limits.ts';

type CallLimitName = 'checkout' | 'subscribe' | 'quote' | 'mail' | 'webhookTest';

const WINDOW_SECONDS = 300;
/** A process tells the database after this share of the calls that are left. */
const SHARE = 1 / 20;
const MAX_COUNTERS = 50_000;

/** `told`: what all processes had told the database of when this one last did; `untold`: what this one has counted since. */
type Counter = { told: number; untold: number; resetsAt: number };
type Maxima = Readonly<Record<CallLimitName, Readonly<{ user: number; address: number }>>>;

export type CallLimits = ReturnType<typeof createCallLimits>;

/** The part of a context that is needed: that of a request by somebody, outside a transaction. */
type CallerContext = Counting & {
  readonly caller: { readonly userId: string };
  readonly address: string;
  readonly callLimits: CallLimits;
};

/** Counts this call for its user and its address, and raises 429 when it is one too many for either. */
export async function spendLimit(ctx: CallerContext, name: CallLimitName): Promise<void> {
  const { user, address } = ctx.callLimits.maxima[name];
  await ctx.callLimits.spend(ctx, limitOf(`${name}-user`, user), ctx.caller.userId);
  await ctx.callLimits.spend(ctx, limitOf(`${name}-address`, address), addressKey(ctx.address));
}

export function createCallLimits(maxima: Maxima) {
  const counters = new Map<string, Counter>();

  function counterOf(id: string, nowSeconds: number): Counter {
    const known = counters.get(id);
    if (known && known.resetsAt > nowSeconds) return known;
    const counter = { told: 0, untold: 0, resetsAt: nowSeconds + WINDOW_SECONDS };
    // At the end of the map, so that the first ones are the oldest.
    counters.delete(id);
    counters.set(id, counter);
    if (counters.size > MAX_COUNTERS) counters.delete(counters.keys().next().value!);
    return counter;
  }

  return {
    maxima,
    /** Raises 429 when there were too many, and counts nothing. */
    check(ctx: Counting, limit: Limit, key: string): void {
      const counter = counters.get(`${limit.name}:${key}`);
      if (counter && counter.resetsAt > ctx.now && counter.told > limit.max)
        throw rateLimited(counter.resetsAt - ctx.now);
    },
    async spend(ctx: Counting, limit: Limit, key: string): Promise<void> {
      const counter = counterOf(`${limit.name}:${key}`, ctx.now);
      if (counter.told > limit.max) throw rateLimited(counter.resetsAt - ctx.now);
      counter.untold += 1;
      if (counter.untold < (limit.max - counter.told) * SHARE) return;
      const calls = counter.untold;
      // Before the answer is here, so that a burst does not pass while it is waited for.
      counter.told += calls;
      counter.untold = 0;
      const { count, resetsAt } = await countCalls(ctx, limit, key, calls);
      counter.told = resetsAt > counter.resetsAt ? count : Math.max(counter.told, count);
      counter.resetsAt = resetsAt;
      if (count > limit.max) throw rateLimited(resetsAt - ctx.now);
    },
  };
}

const limitOf = (name: string, max: number): Limit => ({ name, max, windowSeconds: WINDOW_SECONDS });
