/**
 * Many small units of work, processed in batches: event numbering, webhook and newsletter deliveries, rows of an
 * import. The units of a scope (a business, webhook, send or import) are rows in the business's tables. `run`
 * processes one scope, under a lease or lock that it takes itself, until no units are left or its time slice is over.
 * Any process can run a scope; a process that does not get the lease returns.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../shared/logger.ts';
import { runWork } from '../shared/work.ts';

export type LeasedBatches<Scope extends { businessId: string }> = {
  name: string;
  /** Scopes that one process runs concurrently. */
  concurrency?: number;
  /** Wake-ups of a scope within this time trigger a single run. */
  gatherMs?: number;
  /** Run wake-ups in every process, not only in workers. */
  everywhere?: boolean;
  /** SQL, `from … where …`: returns rows if units may be waiting. `$1` is the time in seconds. */
  waiting: string;
  /** How often a worker checks for waiting units; by default with every poll. */
  sweepMs?: number;
  /** Scopes with waiting units, of one business or of all businesses. */
  list: (businessId: string | null, limit: number) => Promise<Scope[]>;
  /** Returns true if the scope has more to do right away. */
  run: (scope: Scope, signal: AbortSignal) => Promise<boolean>;
};

/** Maximum number of scopes per sweep. */
const SWEEP_SIZE = 1000;
/** A scope that fails is paused, twice as long each time. */
const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

export function createLeasedBatches<Scope extends { businessId: string }>(
  { name, concurrency = 1, gatherMs = 0, everywhere = false, waiting, sweepMs = 0, list, run }: LeasedBatches<Scope>,
  log: Logger,
) {
  /** Scopes that wait for `gatherMs` to pass, then for their turn. */
  const gathered = new Map<string, Scope>();
  const line = new Map<string, Scope>();
  const running = new Map<string, Promise<void>>();
  /** How many runs each business has. */
  const busy = new Map<string, number>();
  const failing = new Map<string, { backoffMs: number; untilMs: number }>();
  const stopping = new AbortController();
  let isStarted = everywhere;
  let gathering: NodeJS.Timeout | null = null;

  const keyOf = (scope: Scope) => Object.values(scope).join(' ');

  function wake(scope: Scope): void {
    const key = keyOf(scope);
    if (!isStarted || performance.now() < (failing.get(key)?.untilMs ?? 0)) return;
    gathered.set(key, scope);
    gathering ??= setTimeout(() => {
      gathering = null;
      for (const [each, found] of gathered) line.set(each, found);
      gathered.clear();
      fill();
    }, gatherMs).unref();
  }

  function fill(): void {
    while (running.size < concurrency && !stopping.signal.aborted) {
      const next = findNext();
      if (!next) return;
      const [key, { businessId }] = next;
      line.delete(key);
      busy.set(businessId, runsOf(businessId) + 1);
      running.set(key, work(key, next[1]));
    }
  }

  const runsOf = (businessId: string) => busy.get(businessId) ?? 0;

  /** The first scope in the queue of a business with the fewest runs, so that no business can have all of them. */
  function findNext(): [key: string, scope: Scope] | null {
    let next: [string, Scope] | null = null;
    for (const each of line) {
      if (running.has(each[0]) || (next && runsOf(each[1].businessId) >= runsOf(next[1].businessId))) continue;
      next = each;
      if (runsOf(next[1].businessId) === 0) break;
    }
    return next;
  }

  async function work(key: string, scope: Scope): Promise<void> {
    let hasMore = false;
    try {
      hasMore = await runWork({ name: `${name} ${key}` }, () => run(scope, stopping.signal));
      failing.delete(key);
    } catch (error) {
      const backoffMs = Math.min((failing.get(key)?.backoffMs ?? FIRST_BACKOFF_MS / 2) * 2, MAX_BACKOFF_MS);
      failing.set(key, { backoffMs, untilMs: performance.now() + backoffMs });
      log.warn({ err: error, name, ...scope }, 'Batch failed, retrying later');
    }
    running.delete(key);
    const { businessId } = scope;
    if (runsOf(businessId) > 1) busy.set(businessId, runsOf(businessId) - 1);
    else busy.delete(businessId);
    if (hasMore) wake(scope);
    fill();
  }

  /** Wakes the scopes with waiting units, of one business or of all businesses. */
  async function look(businessId: string | null): Promise<void> {
    if (!isStarted || stopping.signal.aborted) return;
    try {
      for (const scope of await list(businessId, SWEEP_SIZE)) wake(scope);
    } catch (error) {
      log.warn({ err: error, name }, 'Failed to list waiting batches');
    }
  }

  return {
    name,
    waiting,
    sweepMs,
    wake,
    look,
    start(): void {
      isStarted = true;
    },
    /**
     * Starts no more runs and signals running ones to stop at a safe point. After `timeoutMs` their leases are left
     * to expire.
     */
    async stop(timeoutMs: number): Promise<void> {
      stopping.abort();
      if (gathering) clearTimeout(gathering);
      await Promise.race([Promise.all(running.values()), delay(timeoutMs, undefined, { ref: false })]);
    },
    /** Runs all scopes with waiting units within this call; for tests. */
    async drain(): Promise<number> {
      for (let count = 0; ; ) {
        const scopes = await list(null, SWEEP_SIZE);
        if (scopes.length === 0) return count;
        for (const scope of scopes) await run(scope, stopping.signal);
        count += scopes.length;
      }
    },
  };
}

export type Batches = Omit<ReturnType<typeof createLeasedBatches>, 'wake'>;
