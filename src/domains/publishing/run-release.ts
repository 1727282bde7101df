import { ServiceError } from '../../shared/errors.ts';
import type { Command } from './context.ts';
import type { DueKind } from './kinds.ts';
import { entityOf, viewRelease } from './manage-releases.ts';
import { type Failure, lockRelease, type ReleaseRow, updateRelease } from './release-queries.ts';
import { plan } from './schedule.ts';

/** Items whose statements are under way at once. */
const BATCH = 50;

/** Raised by one item: the whole release is refused. */
class ItemRefused extends ServiceError {
  readonly item: string;

  constructor(item: string, { kind, message, details }: ServiceError) {
    super(kind, message, details);
    this.item = item;
  }
}

/**
 * All items in one transaction: readers see none of it before the commit and all of it after. The items are locked in the order of
 * their names: the first statement of each is its lock, and the statements of a batch share the connection in the order in which they
 * are made. Whoever else changes an item waits for the commit.
 */
export const releases: DueKind = {
  async publishDue(ctx: Command, id: string): Promise<void> {
    const row = await lockRelease(ctx.db, ctx.businessId, id);
    if (row?.status !== 'SCHEDULED' || row.at > ctx.now) return;
    for (let i = 0; i < row.items.length; i += BATCH) {
      const published = await Promise.allSettled(row.items.slice(i, i + BATCH).map((item) => publishItem(ctx, item)));
      const refused = published.find(({ status }) => status === 'rejected');
      if (refused) throw (refused as PromiseRejectedResult).reason;
    }
    await finish(ctx, row, { status: 'PUBLISHED', publishedAt: ctx.now });
  },

  async refuseDue(ctx: Command, id: string, error: ServiceError): Promise<void> {
    const row = await lockRelease(ctx.db, ctx.businessId, id);
    if (row?.status !== 'SCHEDULED') return;
    const failure: Failure = { item: error instanceof ItemRefused ? error.item : null, message: error.message };
    await finish(ctx, row, { status: 'FAILED', failure: JSON.stringify(failure) });
  },
};

async function publishItem(ctx: Command, item: string): Promise<void> {
  const [kind, id] = item.split(':', 2) as [string, string];
  try {
    await ctx.publishing.recordKind(kind).publish(ctx, id);
  } catch (error) {
    throw error instanceof ServiceError ? new ItemRefused(id, error) : error;
  }
}

async function finish(ctx: Command, row: ReleaseRow, change: Partial<ReleaseRow>): Promise<void> {
  const done = { ...row, ...change, updatedAt: ctx.now };
  await updateRelease(ctx.db, done);
  await plan(ctx, entityOf(row), null);
  const type = done.status === 'PUBLISHED' ? 'release.published' : 'release.failed';
  await ctx.emit({ type, entity: entityOf(row), data: viewRelease(done), before: viewRelease(row) });
}
