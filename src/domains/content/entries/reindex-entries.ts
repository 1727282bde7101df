import type { Steps } from '../context.ts';
import { lockOutdated, updateIndex } from './queries.ts';

export const REINDEX_ENTRIES = 'reindex-entries';
const BATCH = 100;

/** After a change of the rules by which entries are found: makes the index of every older entry anew. Safe to repeat. */
export async function reindexEntries(ctx: Steps): Promise<void> {
  for (let done = BATCH; done > 0 && !ctx.signal.aborted; ) {
    done = await ctx.transaction(async ({ db: tx }) => {
      const entries = await lockOutdated(tx, BATCH);
      for (const entry of entries) await updateIndex(tx, entry);
      return entries.length;
    });
  }
}
