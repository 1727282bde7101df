import type { Command, Steps } from '../../context/index.ts';
import type { Logger } from '../../shared/logger.ts';
import { listWaitingBusinesses, lockHead, moveEvents, type NumberedEvent } from './sequencer-queries.ts';

/** Events that one transaction moves. */
const BATCH = 500;
/** Events that are written within this time are numbered together: the busier, the less each of them costs. */
const GATHER_MS = 100;
/** What a process that died has left behind is found after this long. */
const SWEEP_MS = 5000;

/** What else is to be written in the transaction that numbers these events. */
export type OnNumbered = (ctx: Command, events: NumberedEvent[]) => Promise<void>;

type SequencerOptions = { system: () => Steps; log: Logger; onNumbered: readonly OnNumbered[] };

/**
 * Numbers committed events, one business at a time. Any process may: whoever has locked the head of a business is the only one
 * that numbers there, and others come back a little later.
 */
export function createSequencer({ system, log, onNumbered }: SequencerOptions) {
  const waiting = new Set<string>();
  let gathering: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  function wake(businessId: string): void {
    waiting.add(businessId);
    gather();
  }

  function gather(): void {
    if (gathering !== null || isStopped || waiting.size === 0) return;
    gathering = setTimeout(() => {
      running = runAll();
    }, GATHER_MS);
    gathering.unref();
  }

  async function runAll(): Promise<void> {
    const businesses = [...waiting];
    waiting.clear();
    for (const businessId of businesses) {
      try {
        if (!(await sequence(system().within(businessId), onNumbered))) waiting.add(businessId);
      } catch (error) {
        log.warn({ err: error, businessId }, 'Events could not be numbered yet. They are tried again.');
      }
    }
    gathering = null;
    gather();
  }

  async function sweep(): Promise<void> {
    try {
      for (const businessId of await listWaitingBusinesses(system().db)) wake(businessId);
    } catch {
      // The database is away: the next sweep finds what this one would have found.
    }
  }

  const sweeping = setInterval(() => void sweep(), SWEEP_MS);
  sweeping.unref();

  return {
    /** To be called after the commit of a transaction that emitted. */
    wake,
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(sweeping);
      if (gathering) clearTimeout(gathering);
      await running;
    },
  };
}

export const eventsSubject = (businessId: string) => `events:${businessId}`;

/** Numbers everything that is committed. False: somebody else is at it. */
export async function sequence(ctx: Steps, onNumbered: readonly OnNumbered[]): Promise<boolean> {
  for (;;) {
    const moved = await ctx.transaction(async (tx) => {
      const head = await lockHead(tx.db, ctx.businessId);
      if (head === null) return null;
      const events = await moveEvents(tx.db, ctx.businessId, head, BATCH);
      if (events.length === 0) return 0;
      for (const act of onNumbered) await act(tx, events);
      await tx.publish(eventsSubject(ctx.businessId));
      return events.length;
    });
    if (moved === null) return false;
    if (moved < BATCH) return true;
  }
}
