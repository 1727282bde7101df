import type { Steps } from '../context.ts';
import { findOutdatedBusiness, lockOutdated, updateIndex } from './queries.ts';

export const REINDEX_ENTRIES = 'reindex-entries';
const BATCH = 100;

/** Rebuilds the index of entries indexed under older rules. Safe to repeat. */
export async function reindexEntries(ctx: Steps): Promise<void> {
  for (let businessId: string | null = ''; ; ) {
    businessId = await findOutdatedBusiness(ctx.db, businessId);
    if (businessId === null) return;
    for (let done = BATCH; done > 0; ) {
      if (ctx.signal.aborted) return;
      done = await reindexSome(ctx, businessId);
    }
  }
}

const reindexSome = (ctx: Steps, businessId: string): Promise<number> =>
  ctx.transaction(async ({ db: tx }) => {
    const entries = await lockOutdated(tx, businessId, BATCH);
    for (const entry of entries) await updateIndex(tx, entry);
    return entries.length;
  });
