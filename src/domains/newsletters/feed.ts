import { inTransaction, type Pool } from '../../db/connection.ts';
import type { Clock } from '../../shared/clock.ts';
import { type Batch, claimBatch, type Due, listDue, releaseBatch } from './delivery-queries.ts';
import type { SendRow } from './send-queries.ts';

/** A batch that this worker holds, and how many of its deliveries are not settled yet. */
type Held = { batch: Batch; left: number };

export type Claimed = Due & { epoch: number; held: Held };

export type FeedOptions = {
  pool: Pool;
  clock: Clock;
  send: SendRow;
  owner: string;
  leaseSeconds: number;
  /** Claim the next batch when fewer than this many deliveries are at hand. */
  lowWater: number;
  /** True: claim no more. */
  isOver: () => boolean;
};

/**
 * Hands out deliveries of a send, claiming batch after batch so that no connection waits for one. Holds a few batches at a
 * time however many there are, and gives each back as soon as its last delivery is settled.
 */
export function createFeed({ pool, clock, send, owner, leaseSeconds, lowWater, isOver }: FeedOptions) {
  let ready: Claimed[] = [];
  const held = new Set<Held>();
  let claiming: Promise<void> | null = null;
  let exhausted = false;
  let releases: Promise<void> = Promise.resolve();

  async function claim(): Promise<void> {
    const now = clock.seconds();
    const claimed = await inTransaction(pool, async (tx) => {
      const batch = await claimBatch(tx, send, owner, leaseSeconds, now);
      return batch && { batch, due: await listDue(tx, send, batch, send.onUnknown, now) };
    });
    if (!claimed) {
      exhausted = true;
      return;
    }
    const holding: Held = { batch: claimed.batch, left: claimed.due.length };
    held.add(holding);
    for (const due of claimed.due) ready.push({ ...due, epoch: claimed.batch.epoch, held: holding });
    if (holding.left === 0) release(holding, 0);
  }

  function claimMore(): Promise<void> {
    claiming ??= claim().finally(() => {
      claiming = null;
    });
    return claiming;
  }

  function release(holding: Held, notBefore: number): void {
    if (!held.delete(holding)) return;
    releases = releases.then(() =>
      inTransaction(pool, (tx) => releaseBatch(tx, send, holding.batch, owner, send.onUnknown, notBefore)),
    );
    releases.catch(() => {});
  }

  return {
    /** Null: none at hand this moment. */
    take(): Claimed | null {
      if (isOver()) return null;
      if (!exhausted && !claiming && ready.length < lowWater) claimMore().catch(() => {});
      return ready.shift() ?? null;
    },
    /** Waits until there may be one to take. False: there will be none. Raises when the database is away. */
    async more(): Promise<boolean> {
      while (!isOver() && ready.length === 0 && !exhausted) await claimMore();
      return !isOver() && ready.length > 0;
    },
    /** It was not tried after all. */
    giveBack(delivery: Claimed): void {
      ready.unshift(delivery);
    },
    /** Its outcome is written. */
    settled({ held: holding }: Claimed): void {
      holding.left--;
      if (holding.left === 0) release(holding, 0);
    },
    /** Another worker has this batch now. */
    drop({ held: holding }: Claimed): void {
      held.delete(holding);
      ready = ready.filter((delivery) => delivery.held !== holding);
    },
    /** Gives everything back, when no delivery is on its way any more. `notBefore` lets it rest. */
    async close(notBefore: number): Promise<void> {
      for (const holding of [...held]) release(holding, notBefore);
      await releases;
    },
  };
}

export type Feed = ReturnType<typeof createFeed>;
