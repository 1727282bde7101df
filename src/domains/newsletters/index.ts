/**
 * Newsletters: collections of type NEWSLETTER, read by mail. A **subscription** ties an address to a newsletter and to one of
 * its plans: PENDING, ACTIVE, PAST_DUE, UNSUBSCRIBED or BOUNCED. A **send** is one entry going out; a **delivery** is its
 * message to one subscriber; a **batch** is a run of deliveries that one worker leases at a time.
 *
 * Three rooms: `rendering/` makes a mail of an entry, `subscriptions/` knows who gets it, `sends/` delivers it.
 *
 * Invariants: one subscription for each address and newsletter. Content and audience of a send are frozen when it starts. A
 * message is sent only after its delivery is marked ATTEMPTING, and no connection has two that are. A send is complete only
 * when total = sent + failed + skipped + unknown. A token in a mail ends, or confirms, its one subscription and
 * opens nothing else. Nobody but its owner makes a subscription ACTIVE again that has ended.
 */
import type { Platform } from '../../context/index.ts';
import type { Mailer } from '../../providers/mail/port.ts';
import { deriveKey } from '../../shared/secrets.ts';
import type { Payments } from '../payments/index.ts';
import type { Command } from './context.ts';
import { createRateLimiter } from './sends/rate-limiter.ts';
import { registerSendJobs } from './sends/work-on-send.ts';
import { createConfirmTokens } from './subscriptions/confirm-token.ts';
import { registerPendingJob } from './subscriptions/end-pending.ts';
import { endPlan, lockSold, markPastDue, renewPlan } from './subscriptions/plan-billing.ts';
import { activatePaidPlan } from './subscriptions/plan-payments.ts';
import { createPlanTokens } from './subscriptions/plan-token.ts';
import type { SubscriptionRow } from './subscriptions/queries.ts';
import { createUnsubscribeTokens } from './subscriptions/unsubscribe-token.ts';

export type { NewsletterServices } from './context.ts';
export { deletionGuard } from './deletion-guard.ts';
export { deliveryData } from './sends/personal-data.ts';
export { sweepSends } from './sends/work-on-send.ts';
export { addSubscriber } from './subscriptions/add-subscriber.ts';
export { confirmSubscription, findConfirmation } from './subscriptions/confirm-subscription.ts';
export { listSubscriptionsForExport } from './subscriptions/import-queries.ts';
export { importSubscribers, type SubscriberImport } from './subscriptions/import-subscribers.ts';
export { subscriptionData } from './subscriptions/personal-data.ts';
export {
  actOnPlan,
  cancelByToken,
  mailPlanLink,
  type PlanView,
  showPlan,
} from './subscriptions/plan-page.ts';
export { countSubscribers, deleteSubscriptionsOf, subscribersOf } from './subscriptions/queries.ts';
export { type Billing, subscriberOf } from './subscriptions/schemas.ts';
export { findBillingByToken, findByToken, unsubscribe } from './subscriptions/unsubscribe.ts';

type NewsletterOptions = { mailer: Mailer; payments: Payments };

/** Registers the jobs and the effect of payments. What is returned is this domain's state. */
export function createNewsletters(platform: Platform, { mailer, payments }: NewsletterOptions) {
  const { config } = platform;
  registerSendJobs(platform);
  registerPendingJob(platform);
  payments.handle<SubscriptionRow | null>('SUBSCRIPTION', {
    lock: lockSold,
    paid: (ctx, payment, row) => activatePaidPlan(ctx as Command, payment, row),
    renewed: (ctx, agreement, row) => renewPlan(ctx as Command, agreement, row),
    renewalFailed: (ctx, agreement, row) => markPastDue(ctx as Command, agreement, row),
    ended: (ctx, agreement, row) => endPlan(ctx as Command, agreement, row),
  });
  return {
    mailer,
    confirmTokens: createConfirmTokens(deriveKey(config.secretKey, 'confirm-subscription')),
    tokens: createUnsubscribeTokens(deriveKey(config.secretKey, 'unsubscribe')),
    planTokens: createPlanTokens(deriveKey(config.secretKey, 'plan-page')),
    /** Null: no upper rate is set. */
    rateLimiter: config.mailRate === null ? null : createRateLimiter(config.mailRate),
  };
}

export type Newsletters = ReturnType<typeof createNewsletters>;
