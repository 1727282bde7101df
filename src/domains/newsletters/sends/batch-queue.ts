import type { Steps } from '../context.ts';
import { type Batch, claimBatch, listDue, releaseBatch, renewLeases } from './batch-queries.ts';
import type { DatabaseRetry } from './database-retry.ts';
import type { Attempt } from './mark-queries.ts';
import type { SendRow } from './send-queries.ts';

/** A batch that this worker has leased, and how many of its deliveries have no outcome yet. */
type Lease = { batch: Batch; unfinished: number };

export type ClaimedDelivery = Attempt & { email: string; name: string; lease: Lease };

type BatchQueueOptions = {
  send: SendRow;
  /** Names this worker in the leases. */
  owner: string;
  leaseSeconds: number;
  /** Claim the next batch when fewer than this many deliveries are ready. */
  lowWaterMark: number;
  /** True: claim no more. */
  isOver: () => boolean;
  retry: DatabaseRetry;
};

/**
 * Hands out deliveries of a send, claiming batch after batch early enough that no connection waits for one. Has a few batches
 * at a time however many there are, and releases each as soon as its last delivery has its outcome.
 */
export function createBatchQueue(ctx: Steps, options: BatchQueueOptions) {
  const { send, owner, leaseSeconds, lowWaterMark, isOver, retry } = options;
  let ready: ClaimedDelivery[] = [];
  const leases = new Set<Lease>();
  let claiming: Promise<void> | null = null;
  let isExhausted = false;
  let releases: Promise<void> = Promise.resolve();

  async function claim(): Promise<void> {
    const claimed = await retry(() =>
      ctx.transaction(async ({ db: tx, now }) => {
        const batch = await claimBatch(tx, send, owner, leaseSeconds, now);
        return batch && { batch, due: await listDue(tx, send, batch, send.onUnknown, now) };
      }),
    );
    if (!claimed) {
      isExhausted = true;
      return;
    }
    const lease: Lease = { batch: claimed.batch, unfinished: claimed.due.length };
    leases.add(lease);
    const { epoch } = claimed.batch;
    for (const { attempts, ...due } of claimed.due) ready.push({ ...due, number: attempts + 1, epoch, lease });
    if (lease.unfinished === 0) release(lease, 0);
  }

  function claimMore(): Promise<void> {
    claiming ??= claim().finally(() => {
      claiming = null;
    });
    return claiming;
  }

  function release(lease: Lease, notBefore: number): void {
    if (!leases.delete(lease)) return;
    releases = releases.then(() =>
      retry(() => ctx.write((tx) => releaseBatch(tx, send, lease.batch, owner, send.onUnknown, notBefore))),
    );
    releases.catch(() => {});
  }

  return {
    /** Null: none is ready at this moment. */
    take(): ClaimedDelivery | null {
      if (isOver()) return null;
      if (!isExhausted && !claiming && ready.length < lowWaterMark) claimMore().catch(() => {});
      return ready.shift() ?? null;
    },
    /** Waits until there may be one to take. False: there will be none. */
    async waitForMore(): Promise<boolean> {
      while (!isOver() && ready.length === 0 && !isExhausted) await claimMore();
      return !isOver() && ready.length > 0;
    },
    /** A batch whose claim was committed without our knowing is not among them: its lease expires. */
    async renewLeases(): Promise<void> {
      const numbers = [...leases].map(({ batch }) => batch.number);
      await ctx.write((tx) => renewLeases(tx, send, owner, numbers, leaseSeconds));
    },
    /** It was not attempted. */
    putBack(delivery: ClaimedDelivery): void {
      ready.unshift(delivery);
    },
    /** Its outcome is written. */
    finish({ lease }: ClaimedDelivery): void {
      lease.unfinished--;
      if (lease.unfinished === 0) release(lease, 0);
    },
    /** Another worker has this delivery's batch now. */
    dropBatch({ lease }: ClaimedDelivery): void {
      leases.delete(lease);
      ready = ready.filter((delivery) => delivery.lease !== lease);
    },
    /** Releases all batches. No delivery may be without its outcome. `notBefore`: nobody claims them earlier. */
    async close(notBefore: number): Promise<void> {
      for (const lease of [...leases]) release(lease, notBefore);
      await releases;
    },
  };
}

export type BatchQueue = ReturnType<typeof createBatchQueue>;
