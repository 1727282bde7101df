import type { Command, Platform, Steps } from '../../context/index.ts';
import { listWaitingBusinesses, type NumberedEvent, numberEvents } from './sequencer-queries.ts';

/** Maximum number of events per transaction. */
const BATCH = 500;
/** Maximum number of consecutive batches of one business before it is another business's turn. */
const BATCHES_PER_TURN = 20;
/** Events written within this time are numbered together, which lowers the cost per event under load. */
const GATHER_MS = 100;
/** How often a worker checks for events left by a crashed process. */
const SWEEP_MS = 5000;

/** A hook that runs in the transaction that numbers these events. */
export type OnNumbered = (ctx: Command, events: NumberedEvent[]) => Promise<void>;

/**
 * Numbers committed events, one business at a time. Every process numbers the events it has written. The head of a business
 * is locked while its events are numbered. Other processes retry shortly after.
 */
export const handleNumbering = ({ handleBatches }: Platform, onNumbered: readonly OnNumbered[]) =>
  handleBatches<{ businessId: string }>({
    name: 'number-events',
    gatherMs: GATHER_MS,
    everywhere: true,
    waiting: 'from event_outbox',
    sweepMs: SWEEP_MS,
    list: (ctx, businessId, limit) => listWaitingBusinesses(ctx.db, businessId, limit),
    run: async (ctx) => !(await sequence(ctx, onNumbered, BATCHES_PER_TURN)),
  });

export const eventsSubject = (businessId: string) => `events:${businessId}`;

/** Numbers up to `maxBatches` batches of committed events. Returns false if events may be left or another process holds the lock. */
export async function sequence(
  ctx: Steps,
  onNumbered: readonly OnNumbered[],
  maxBatches = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  for (let batch = 0; batch < maxBatches; batch++) {
    const moved = await ctx.transaction(async (tx) => {
      const events = await numberEvents(tx.db, ctx.businessId, BATCH);
      if (events === null) return null;
      if (events.length === 0) return 0;
      for (const hook of onNumbered) await hook(tx, events);
      await tx.publish(eventsSubject(ctx.businessId));
      return events.length;
    });
    if (moved === null) return false;
    if (moved < BATCH) return true;
  }
  return false;
}
