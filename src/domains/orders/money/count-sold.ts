import { listBusinessIds } from '../../businesses/index.ts';
import { saveSold } from '../../catalog/index.ts';
import type { Steps } from '../context.ts';
import { listItemsSold } from './sales-queries.ts';

const PERIOD_SECONDS = 90 * 86_400;
const BUSINESSES = 200;

/** Counts the items sold of every product, business by business, for lists with the best sellers first. */
export async function countSold(ctx: Steps): Promise<void> {
  for (let after = ''; ; ) {
    const businesses = await listBusinessIds(ctx.db, after, BUSINESSES);
    for (const businessId of businesses) {
      if (ctx.signal.aborted) return;
      const sold = await listItemsSold(ctx.db, businessId, { from: ctx.now - PERIOD_SECONDS, to: ctx.now + 1 });
      await ctx.write((tx) => saveSold(tx, businessId, sold));
    }
    if (businesses.length < BUSINESSES) return;
    after = businesses.at(-1)!;
  }
}
