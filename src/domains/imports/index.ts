/**
 * Imports and exports of records as files. An **import** reads the **rows** of a file in a **format** and writes them as
 * **records** of other domains, in **batches**. An **export** streams a snapshot of records.
 *
 * Invariants: a record is written completely or not at all, by the rules of its own domain. A batch and the import's progress
 * are written in one transaction: after a crash, the next worker repeats nothing and skips nothing. Records are identified
 * by ID, slug, SKU or email, so importing a file twice changes nothing the second time. An import never deletes anything.
 * Imports and exports never hold a whole file in memory.
 */
import type { Platform, Snapshots } from '../../context/index.ts';
import { createFairQueue } from '../../shared/threads/fair-queue.ts';
import { createConverter } from '../../shared/threads/index.ts';
import type { Batch, DetectedFile, Request } from './conversion/convert.ts';
import { fetchImages } from './images/fetch-images.ts';
import { FETCH_IMAGES, RUN_IMPORT, type RunImport } from './jobs.ts';
import { listFreeImports } from './queries.ts';
import { runImport } from './running/run-import.ts';
import { schemasByKind } from './running/schemas-by-kind.ts';
import { sweepImports } from './running/sweep-imports.ts';
import type { Imports } from './service.ts';

export { importEvents } from './event-schemas.ts';
export type { Import } from './schemas.ts';

const CONCURRENCY = 2;
const MAX_DETECTIONS = 2;

/** `thread`: the module that converts files. */
type ImportsOptions = { thread: URL; snapshots: Snapshots };

export function createImports(platform: Platform, { thread, snapshots }: ImportsOptions): Imports {
  platform.handleBatches<RunImport>({
    name: RUN_IMPORT,
    concurrency: CONCURRENCY,
    waiting: `from imports where status in ('QUEUED', 'RUNNING') and lease_until <= $1`,
    list: (ctx, businessId, limit) => listFreeImports(ctx.db, businessId, ctx.now, limit),
    run: runImport,
  });
  platform.handleTasks<object>({
    name: FETCH_IMAGES,
    concurrency: 2,
    expireSeconds: 900,
    // Unusable images are not errors: only storage and network failures are retried, and no other job fetches waiting
    // images.
    retryLimit: 1000,
    handle: fetchImages,
  });
  platform.handleJobs<object>({
    name: 'imports-sweep',
    cron: '11 4 * * *',
    expireSeconds: 3600,
    handle: sweepImports,
  });
  // A queue of their own, because their threads also wait for storage.
  const queue = createFairQueue({ slots: CONCURRENCY + MAX_DETECTIONS, maxWaiting: 200, maxWaitingPerOwner: 20 });
  const converter = createConverter<Request, Batch | DetectedFile>(thread, {
    // The thread has the schemas of all records, and records can be 8 MiB.
    heapBytes: 256 * 1_048_576,
    cpuMs: 2000,
    outputBytes: 64 * 1_048_576,
    busy: 'Too many files are being imported. Try again later.',
    queue,
  });
  return { converter, schemas: schemasByKind(), snapshots };
}
