import type { Platform } from '../../../context/index.ts';
import type { NewsletterServices, Steps } from '../context.ts';
import { CONFIRM_SECONDS } from './confirm-token.ts';
import { endPendingSubscriptions, listPendingBusinesses } from './queries.ts';

const END_PENDING_JOB = 'subscriptions-pending';

export function registerPendingJob(platform: Platform): void {
  platform.handleJobs<object, NewsletterServices>({ name: END_PENDING_JOB, cron: '*/10 * * * *', handle: endPending });
}

/** What was neither confirmed nor paid within 7 days is over. */
export async function endPending(ctx: Steps): Promise<void> {
  const before = ctx.now - CONFIRM_SECONDS;
  for (const businessId of await listPendingBusinesses(ctx.db, before)) {
    await ctx.within(businessId).transaction((tx) => endPendingSubscriptions(tx, before));
  }
}
