/**
 * Newsletters: collections of type NEWSLETTER, delivered by email. A **subscription** connects an address to a newsletter and one of
 * its plans, and is PENDING, ACTIVE, PAST_DUE, UNSUBSCRIBED or BOUNCED. A **send** sends one entry to all subscribers; a **delivery**
 * is its message to one subscriber; a **batch** is a range of deliveries that one worker leases at a time. An **automation** is a
 * sequence of steps that an event starts; a **run** is one subscriber's progress through it.
 *
 * A **form** lets visitors to any website request a subscription.
 *
 * `rendering/` renders an entry as an email, `subscriptions/` manages subscribers, `sends/` delivers to them,
 * `automations/` hands emails over to `sends/`, `stats/` counts opens, clicks, bounces and unsubscribes.
 *
 * Invariants: there is one subscription per address and newsletter. Content and audience of a send are frozen when it starts. A
 * message is sent only after its delivery is marked ATTEMPTING, and each connection has at most one such delivery. A send is
 * complete only when total = sent + failed + skipped + unknown. A token in an email can only end or confirm its own subscription.
 * Only the owner of an address can reactivate a subscription that has ended.
 */
import type { Platform } from '../../context/index.ts';
import type { Mailer } from '../../providers/mail/port.ts';
import { createOutbound } from '../../providers/outbound/index.ts';
import { deriveKey } from '../../shared/security/secrets.ts';
import type { Events } from '../events/index.ts';
import type { PaymentHandlers } from '../payments/index.ts';
import { handleAutomations } from './automations/register.ts';
import type { Steps } from './context.ts';
import { createReferralTokens } from './referrals/referral-token.ts';
import { createRateLimiter } from './sends/batches/rate-limiter.ts';
import { handleDelivering } from './sends/batches/work-on-send.ts';
import { handleStarts } from './sends/start-send.ts';
import { createViewTokens } from './sends/view-token.ts';
import type { Newsletters } from './service.ts';
import { createLinkCache } from './stats/follow-link.ts';
import { createHits } from './stats/hits.ts';
import { createFeedTokens } from './subscriptions/feeds/feed-token.ts';
import { createConfirmTokens } from './subscriptions/joining/confirm-token.ts';
import { registerPendingJob } from './subscriptions/joining/end-pending.ts';
import { endPlan, lockPurchase, markPastDue, renewPlan } from './subscriptions/plans/plan-billing.ts';
import { activatePaidPlan } from './subscriptions/plans/plan-payments.ts';
import { createPlanTokens } from './subscriptions/plans/plan-token.ts';
import type { SubscriptionRow } from './subscriptions/queries.ts';
import { createUnsubscribeTokens } from './subscriptions/unsubscribe-token.ts';
import { createReportReaders } from './suppressions/report-readers.ts';

export { importAutomation } from './automations/automations.ts';
export { automationData } from './automations/personal-data.ts';
export { listAutomationsForExport } from './automations/queries.ts';
export { AutomationInput, automationOf } from './automations/schemas.ts';
export type { NewsletterServices } from './context.ts';
export { deletionGuard } from './deletion-guard.ts';
export { newsletterEvents } from './event-schemas.ts';
export { importForm } from './forms/forms.ts';
export { listFormsForExport } from './forms/queries.ts';
export { SignupFormInput } from './forms/schemas.ts';
export { getForm, submitForm, submitReferral } from './forms/submit-form.ts';
export { embedHtml } from './forms/write-form.ts';
export { readReferral } from './referrals/referrals.ts';
export { composeMail } from './rendering/compose-mail.ts';
export { readSource } from './rendering/source.ts';
export { listSegmentsForExport } from './segments/queries.ts';
export { SegmentInput, segmentOf } from './segments/schemas.ts';
export { exportSegmentPeople, importSegment, readSegment } from './segments/segments.ts';
export { listSentEntries } from './sends/list-sent-entries.ts';
export { deliveryData } from './sends/personal-data.ts';
export { sendOf } from './sends/schemas.ts';
export type { SendRow } from './sends/send-queries.ts';
export { viewIssue } from './sends/view-issue.ts';
export { followLink, recordOpen } from './stats/follow-link.ts';
export { addSubscriber } from './subscriptions/add-subscriber.ts';
export { emitSubscription } from './subscriptions/emit-subscription.ts';
export { findFeedPlans } from './subscriptions/feeds/feed-link.ts';
export { importSubscribers, type SubscriberImport } from './subscriptions/imports/import-subscribers.ts';
export { listSubscriptionsForExport } from './subscriptions/imports/queries.ts';
export { confirmSubscription } from './subscriptions/joining/confirm-subscription.ts';
export { payToConfirm } from './subscriptions/joining/pay-to-confirm.ts';
export { type ConfirmationView, findConfirmation } from './subscriptions/joining/read-confirmation.ts';
export { subscriptionData } from './subscriptions/personal-data.ts';
export { findActivePlans } from './subscriptions/plans/active-plans.ts';
export {
  cancelByToken,
  mailPlanLink,
  openPlanPortal,
  type PlanView,
  setPlanCancelled,
  showPlan,
  simulatePlanPeriodEnd,
} from './subscriptions/plans/plan-page.ts';
export {
  countSubscribers,
  deleteSubscriptionsOf,
  type SubscriptionRow,
  type SubscriptionStatus,
  subscribersOf,
} from './subscriptions/queries.ts';
export { type Billing, subscriberOf } from './subscriptions/schemas.ts';
export { setTracking } from './subscriptions/set-tracking.ts';
export { previewSubscriptionMail } from './subscriptions/subscription-mails.ts';
export { findBillingByToken, findByToken, findTokenLocale, unsubscribe } from './subscriptions/unsubscribe.ts';
export { createBounceAddresses } from './suppressions/bounce-address.ts';
export { suppressionData } from './suppressions/personal-data.ts';
export { findSuppressed, listSuppressionsForExport } from './suppressions/queries.ts';
export { receiveBounce } from './suppressions/receive-bounce.ts';
export { SuppressionInput, suppressionOf } from './suppressions/schemas.ts';
export { importSuppression } from './suppressions/suppress.ts';

/** Updates a subscription when its paid plan is paid, renewed or ended. */
export const planPayments: PaymentHandlers<SubscriptionRow | null> = {
  lock: lockPurchase,
  paid: activatePaidPlan,
  renewed: renewPlan,
  renewalFailed: markPastDue,
  ended: endPlan,
};

/** Registers the jobs and returns the state of this domain. */
/** `system`: creates contexts for work outside a request. */
type NewsletterOptions = { system: () => Steps; events: Events; mailer: Mailer };

export function createNewsletters(platform: Platform, { system, events, mailer }: NewsletterOptions): Newsletters {
  const { config } = platform;
  handleAutomations(platform, events);
  handleStarts(platform);
  handleDelivering(platform);
  registerPendingJob(platform);
  return {
    mailer,
    confirmTokens: createConfirmTokens(deriveKey(config.secretKey, 'confirm-subscription')),
    tokens: createUnsubscribeTokens(deriveKey(config.secretKey, 'unsubscribe')),
    planTokens: createPlanTokens(deriveKey(config.secretKey, 'plan-page')),
    readReport: createReportReaders(createOutbound({ allow: config.outboundAllow })),
    viewTokens: createViewTokens(deriveKey(config.secretKey, 'view-newsletter')),
    referralTokens: createReferralTokens(deriveKey(config.secretKey, 'referral')),
    hitTokens: createViewTokens(deriveKey(config.secretKey, 'mail-hits')),
    hits: createHits(platform, system),
    linksOf: createLinkCache(),
    feedTokens: createFeedTokens(deriveKey(config.secretKey, 'feed')),
    rateLimiter: config.mailRate === null ? null : createRateLimiter(config.mailRate),
  };
}
