import { ServiceError } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import type { DueKind } from '../kinds.ts';
import { publishItem } from '../publish-record.ts';
import { plan } from '../schedule.ts';
import { entityOf, viewRelease } from './manage-releases.ts';
import { type Failure, lockRelease, type ReleaseRow, updateRelease } from './release-queries.ts';

/** Number of items published concurrently on the connection. */
const BATCH = 50;

/** Thrown by one item; fails the whole release. */
class ItemFailed extends ServiceError {
  readonly item: string;

  constructor(item: string, { kind, message, details }: ServiceError) {
    super(kind, message, details);
    this.item = item;
  }
}

/**
 * Publishes all items in one transaction: readers see none of it before the commit and all of it after. Items are locked in
 * name order: each item's first statement is its lock, and a batch's statements run on the shared connection in the order they
 * were issued. Concurrent changes to an item wait for the commit.
 */
export const releases: DueKind = {
  async publishDue(ctx: Command, id: string): Promise<void> {
    const row = await lockRelease(ctx.db, ctx.businessId, id);
    if (row?.status !== 'SCHEDULED' || row.at > ctx.now) return;
    for (let i = 0; i < row.items.length; i += BATCH) {
      const published = await Promise.allSettled(
        row.items.slice(i, i + BATCH).map((item) => publishItemNamed(ctx, item)),
      );
      const failed = published.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
    await finish(ctx, row, { status: 'PUBLISHED', publishedAt: ctx.now });
  },

  async recordFailure(ctx: Command, id: string, error: ServiceError): Promise<void> {
    const row = await lockRelease(ctx.db, ctx.businessId, id);
    if (row?.status !== 'SCHEDULED') return;
    const failure: Failure = { item: error instanceof ItemFailed ? error.item : null, message: error.message };
    await finish(ctx, row, { status: 'FAILED', failure });
  },
};

async function publishItemNamed(ctx: Command, item: string): Promise<void> {
  const [kind, id] = item.split(':', 2) as [string, string];
  try {
    await publishItem(ctx, ctx.publishing.recordKind(kind), id);
  } catch (error) {
    throw error instanceof ServiceError ? new ItemFailed(id, error) : error;
  }
}

async function finish(ctx: Command, row: ReleaseRow, change: Partial<ReleaseRow>): Promise<void> {
  const done = { ...row, ...change, updatedAt: ctx.now };
  await updateRelease(ctx.db, done);
  await plan(ctx, entityOf(row), null);
  const type = done.status === 'PUBLISHED' ? 'release.published' : 'release.failed';
  ctx.emit({ type, entity: entityOf(row), data: viewRelease(done), before: viewRelease(row) });
}
