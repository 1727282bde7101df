/**
 * Opens and clicks, counted in the memory of each process and written once a second, so that a click needs no write and many clicks
 * don't contend for one row. A process that crashes loses its last second. Each write has an ID, so a repeated one counts once.
 */
import { randomUUID } from 'node:crypto';
import type { Platform } from '../../../context/index.ts';
import type { Steps } from '../context.ts';
import type { Issue } from '../sends/view-token.ts';
import { type HitRow, writeHits } from './hit-queries.ts';

const GATHER_MS = 1000;

/** Maximum number of hits waiting to be written. More are not counted. */
const MAX_WAITING = 20_000;

/** A recipient who follows this many links in an email within a second is a scanner. */
const SCANNED_LINKS = 3;

/** The link number that means an open. */
export const OPEN = -1;

/** `sealed` is being written or waits for a retry. */
type Waiting = { hits: Map<string, HitRow>; sealed: { id: string; hits: readonly HitRow[] } | null };

export function createHits({ handleBatches }: Pick<Platform, 'handleBatches'>) {
  const waiting = new Map<string, Waiting>();
  let count = 0;

  async function flush(ctx: Steps, businessId: string): Promise<void> {
    for (let found = waiting.get(businessId); found; found = waiting.get(businessId)) {
      if (!found.sealed) {
        found.sealed = { id: randomUUID(), hits: withoutScanners([...found.hits.values()]) };
        count -= found.hits.size;
        found.hits = new Map();
      }
      const { id, hits } = found.sealed;
      if (hits.length > 0) await ctx.write((tx) => writeHits(tx, businessId, id, hits, ctx.clock.seconds()));
      found.sealed = null;
      if (found.hits.size === 0) waiting.delete(businessId);
    }
  }

  const batches = handleBatches<{ businessId: string }>({
    name: 'newsletter-hits',
    concurrency: 4,
    gatherMs: GATHER_MS,
    everywhere: true,
    waiting: 'from sends where false',
    list: async () => [...waiting.keys()].map((businessId) => ({ businessId })),
    async run(ctx, { businessId }) {
      await flush(ctx, businessId);
      return false;
    },
  });

  return {
    /** The same link of the same email counts once within a second. */
    add({ businessId, sendId, subscriptionId }: Issue, link: number, atSeconds: number): void {
      const key = `${sendId} ${subscriptionId} ${link}`;
      const found = waiting.get(businessId) ?? { hits: new Map(), sealed: null };
      if (found.hits.has(key) || count >= MAX_WAITING) return;
      found.hits.set(key, { sendId, subscriptionId, link, atSeconds });
      count++;
      waiting.set(businessId, found);
      batches.wake({ businessId });
    },
    /** Writes everything. Called when the process stops. */
    async flushAll(ctx: Steps): Promise<void> {
      for (const businessId of [...waiting.keys()]) await flush(ctx.within(businessId), businessId);
    },
  };
}

export type Hits = ReturnType<typeof createHits>;

export function withoutScanners(hits: readonly HitRow[]): HitRow[] {
  const links = new Map<string, number>();
  const keyOf = ({ sendId, subscriptionId }: HitRow) => `${sendId} ${subscriptionId}`;
  for (const hit of hits) if (hit.link !== OPEN) links.set(keyOf(hit), (links.get(keyOf(hit)) ?? 0) + 1);
  return hits.filter((hit) => (links.get(keyOf(hit)) ?? 0) < SCANNED_LINKS);
}
