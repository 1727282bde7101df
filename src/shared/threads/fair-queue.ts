/**
 * Runs tasks of businesses, a few at a time. Businesses take turns, and one more slot is reserved for businesses without slow tasks, so that
 * many or slow tasks of one business don't delay another by more than a moment.
 */

/** The business has too many waiting tasks. Others can still add theirs. */
export class QueueFull extends Error {}

type Waiting = { owner: string; isOverdue: boolean; start: () => void };

export type QueueOptions = {
  slots: number;
  maxWaiting: number;
  /** Only a business that already waits is refused when the queue is full. */
  maxWaitingPerOwner: number;
  /** A task that has waited this long for its turn may use the reserved slot. */
  overdueMs?: number;
  /** How long a business counts as slow. */
  slowMs?: number;
};

export function createFairQueue({
  slots,
  maxWaiting,
  maxWaitingPerOwner,
  overdueMs = 250,
  slowMs = 60_000,
}: QueueOptions) {
  const waiting: Waiting[] = [];
  /** The latest turn of each business, kept while tasks are waiting or running. */
  const turns = new Map<string, number>();
  /** The number of running tasks by business. */
  const running = new Map<string, number>();
  let total = 0;
  let turn = 0;
  const slow = new Map<string, NodeJS.Timeout>();

  function endSlow(owner: string): void {
    clearTimeout(slow.get(owner));
    slow.delete(owner);
  }

  /** The business can't use the reserved slot for a while. */
  function markSlow(owner: string): void {
    endSlow(owner);
    const expire = () => {
      endSlow(owner);
      next();
    };
    slow.set(owner, setTimeout(expire, slowMs).unref());
  }

  const mayUseReserved = ({ owner, isOverdue }: Waiting) => isOverdue && !running.has(owner) && !slow.has(owner);

  /** The oldest task of the business that has waited longest for a turn. */
  function choose(): Waiting | undefined {
    if (total > slots) return undefined;
    const allowed = total < slots ? waiting : waiting.filter(mayUseReserved);
    const turnOf = ({ owner }: Waiting) => turns.get(owner) ?? 0;
    return allowed.reduce<Waiting | undefined>(
      (best, each) => (best && turnOf(best) <= turnOf(each) ? best : each),
      undefined,
    );
  }

  function next(): void {
    for (let chosen = choose(); chosen; chosen = choose()) {
      waiting.splice(waiting.indexOf(chosen), 1);
      const { owner } = chosen;
      turns.set(owner, ++turn);
      running.set(owner, (running.get(owner) ?? 0) + 1);
      total++;
      chosen.start();
    }
    if (total === 0 && waiting.length === 0) turns.clear();
  }

  function leave(owner: string): void {
    const others = running.get(owner)! - 1;
    if (others > 0) running.set(owner, others);
    else running.delete(owner);
    total--;
    next();
  }

  function waitForTurn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const added: Waiting = { owner, isOverdue: false, start: resolve };
    const abort = () => {
      const at = waiting.indexOf(added);
      if (at === -1) return;
      waiting.splice(at, 1);
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', abort);
    waiting.push(added);
    next();
    const timer = setTimeout(() => {
      added.isOverdue = true;
      next();
    }, overdueMs).unref();
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  }

  return {
    markSlow,
    endSlow,
    /** Throws `QueueFull`, or the reason of `signal` if it is aborted before the task starts. */
    async run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      signal?.throwIfAborted();
      const own = waiting.filter((each) => each.owner === owner).length;
      if (own >= maxWaitingPerOwner || (own > 0 && waiting.length >= maxWaiting)) throw new QueueFull();
      await waitForTurn(owner, signal);
      try {
        return await work();
      } finally {
        leave(owner);
      }
    },
  };
}

export type FairQueue = ReturnType<typeof createFairQueue>;
