import type { Platform } from '../../../../context/index.ts';
import type { Steps } from '../../context.ts';
import { endPendingSubscriptions, listPendingBusinesses } from '../queries.ts';
import { CONFIRM_SECONDS } from './confirm-token.ts';

const END_PENDING_JOB = 'subscriptions-pending';

export function registerPendingJob(platform: Platform): void {
  platform.handleJobs<object>({ name: END_PENDING_JOB, cron: '*/10 * * * *', handle: endPending });
}

/** Ends subscriptions that were neither confirmed nor paid within 7 days. */
export async function endPending(ctx: Steps): Promise<void> {
  const before = ctx.now - CONFIRM_SECONDS;
  for (const businessId of await listPendingBusinesses(ctx.db, before)) {
    await ctx.within(businessId).transaction((tx) => endPendingSubscriptions(tx, before));
  }
}
