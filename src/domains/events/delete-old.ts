import type { Steps } from './context.ts';
import { deleteAccountEventsBefore, deleteEventsBefore, listBusinessesWithEvents } from './queries.ts';

const BUSINESSES = 200;
const BATCH = 2000;
const DAY_SECONDS = 86_400;

/** Deletes events older than `eventsKeptDays`, business by business. */
export async function deleteOldEvents(ctx: Steps): Promise<void> {
  const before = ctx.now - ctx.config.eventsKeptDays * DAY_SECONDS;
  for (let after = ''; ; ) {
    const businesses = await listBusinessesWithEvents(ctx.db, after, BUSINESSES);
    for (const businessId of businesses) {
      while ((await ctx.write((tx) => deleteEventsBefore(tx, businessId, before, BATCH))).length === BATCH) {
        if (ctx.signal.aborted) return;
      }
    }
    if (businesses.length < BUSINESSES) break;
    after = businesses.at(-1)!;
  }
  while ((await ctx.write((tx) => deleteAccountEventsBefore(tx, before, BATCH))).length === BATCH) {
    if (ctx.signal.aborted) return;
  }
}
