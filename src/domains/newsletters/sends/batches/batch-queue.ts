import type { Steps } from '../../context.ts';
import type { SendRow } from '../send-queries.ts';
import type { DatabaseRetry } from './database-retry.ts';
import type { Attempt } from './mark-queries.ts';
import { type Batch, claimBatch, type Due, listDue, releaseBatch, renewLeases } from './queries.ts';

/** A batch leased by this worker, and the number of its deliveries without an outcome. */
type Lease = { batch: Batch; unfinished: number };

export type ClaimedDelivery = Attempt & Pick<Due, 'email' | 'name' | 'variant'> & { lease: Lease };

type BatchQueueOptions = {
  send: SendRow;
  /** Identifies this worker in the leases. */
  owner: string;
  leaseSeconds: number;
  /** Claim the next batch when fewer than this many deliveries are ready. */
  lowWaterMark: number;
  /** If true, no more batches are claimed. */
  isOver: () => boolean;
  retry: DatabaseRetry;
};

/**
 * Hands out deliveries of a send. Claims batches early enough that no connection has to wait, but only a few at a time. Releases
 * each batch as soon as its last delivery has an outcome.
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
    /** Returns null if no delivery is ready. */
    take(): ClaimedDelivery | null {
      if (isOver()) return null;
      if (!isExhausted && !claiming && ready.length < lowWaterMark) claimMore().catch(() => {});
      return ready.shift() ?? null;
    },
    /** Waits until a delivery may be ready. Returns false if there are no more. */
    async waitForMore(): Promise<boolean> {
      while (!isOver() && ready.length === 0 && !isExhausted) await claimMore();
      return !isOver() && ready.length > 0;
    },
    /** Does not include a batch whose claim was committed but whose response was lost. Its lease expires. */
    async renewLeases(): Promise<void> {
      const numbers = [...leases].map(({ batch }) => batch.number);
      await ctx.write((tx) => renewLeases(tx, send, owner, numbers, leaseSeconds));
    },
    /** For a delivery that was not attempted. */
    putBack(delivery: ClaimedDelivery): void {
      ready.unshift(delivery);
    },
    /** For a delivery whose outcome is stored. */
    finish({ lease }: ClaimedDelivery): void {
      lease.unfinished--;
      if (lease.unfinished === 0) release(lease, 0);
    },
    /** For a delivery whose batch another worker has taken over. */
    dropBatch({ lease }: ClaimedDelivery): void {
      leases.delete(lease);
      ready = ready.filter((delivery) => delivery.lease !== lease);
    },
    /** Releases all batches. Every attempted delivery must have an outcome. No worker claims the batches before `notBefore`. */
    async close(notBefore: number): Promise<void> {
      for (const lease of [...leases]) release(lease, notBefore);
      await releases;
    },
  };
}

export type BatchQueue = ReturnType<typeof createBatchQueue>;
