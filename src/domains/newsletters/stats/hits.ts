/**
 * Opens and clicks: a write-behind buffer in the memory of each process, written once a second, so that a click needs no write and many
 * clicks don't contend for one row. A process that crashes loses its last second. Each write has an ID, so a repeated one counts once.
 */
import { randomUUID } from 'node:crypto';
import type { Platform } from '../../../context/index.ts';
import type { Steps } from '../context.ts';
import type { Issue } from '../sends/view-token.ts';
import { type HitRow, writeHits } from './hit-queries.ts';

const GATHER_MS = 1000;

/** Maximum number of businesses that are written at once. */
const CONCURRENCY = 4;

/** Maximum number of hits waiting to be written. More are not counted. */
const MAX_WAITING = 20_000;

/** A recipient who follows this many links in an email within a second is a scanner. */
const SCANNED_LINKS = 3;

/** The link number that means an open. */
export const OPEN = -1;

/** What one statement writes. A failed batch is written again. */
type Batch = { businessId: string; id: string; hits: readonly HitRow[] };

export function createHits({ log }: Pick<Platform, 'log'>, system: () => Steps) {
  /** By business and key. */
  const gathered = new Map<string, Map<string, HitRow>>();
  let failed: Batch[] = [];
  let count = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();

  function takeBatches(): Batch[] {
    const batches = failed;
    failed = [];
    for (const [businessId, found] of gathered) {
      const hits = withoutScanners([...found.values()]);
      count -= found.size - hits.length;
      if (hits.length > 0) batches.push({ businessId, id: randomUUID(), hits });
    }
    gathered.clear();
    return batches;
  }

  async function write({ businessId, id, hits }: Batch): Promise<void> {
    const ctx = system().within(businessId);
    await ctx.write((tx) => writeHits(tx, businessId, id, hits, ctx.now));
    count -= hits.length;
  }

  async function writeAll(): Promise<void> {
    const batches = takeBatches().values();
    const writeEach = async () => {
      for (const batch of batches)
        await write(batch).catch((error) => {
          failed.push(batch);
          log.warn({ err: error, businessId: batch.businessId }, 'Failed to record opens and clicks');
        });
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, writeEach));
    if (failed.length > 0) schedule();
  }

  /** Writes what was counted so far. */
  function flush(): Promise<void> {
    writing = writing.then(writeAll);
    return writing;
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, GATHER_MS).unref();
  }

  return {
    /** The same link of the same email counts once within a second. */
    add({ businessId, sendId, subscriptionId }: Issue, link: number, atSeconds: number): void {
      const key = `${sendId} ${subscriptionId} ${link}`;
      const hits = gathered.get(businessId) ?? new Map<string, HitRow>();
      if (hits.has(key) || count >= MAX_WAITING) return;
      hits.set(key, { sendId, subscriptionId, link, atSeconds });
      count++;
      gathered.set(businessId, hits);
      schedule();
    },
    flush,
    /** Writes everything when the process stops. */
    async stop(): Promise<void> {
      await flush();
      if (timer) clearTimeout(timer);
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
