import type { Platform } from '../../../context/index.ts';
import type { NewsletterServices, Steps } from '../context.ts';
import { CONFIRM_SECONDS } from './confirm-token.ts';
import { endPendingSubscriptions } from './queries.ts';

export const END_PENDING_JOB = 'subscriptions-pending';

export function registerPendingJob(platform: Platform): void {
  platform.handleJobs<object, NewsletterServices>({ name: END_PENDING_JOB, cron: '*/10 * * * *', handle: endPending });
}

/** What was neither confirmed nor paid within 7 days is over. */
export async function endPending(ctx: Steps): Promise<void> {
  await ctx.write((tx) => endPendingSubscriptions(tx, ctx.now - CONFIRM_SECONDS));
}
