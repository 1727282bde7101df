import type { Mailer } from '../../providers/mail/port.ts';
import type { createReferralTokens } from './referrals/referral-token.ts';
import type { createRateLimiter } from './sends/batches/rate-limiter.ts';
import type { createViewTokens } from './sends/view-token.ts';
import type { createLinkCache } from './stats/follow-link.ts';
import type { Hits } from './stats/hits.ts';
import type { createFeedTokens } from './subscriptions/feeds/feed-token.ts';
import type { createConfirmTokens } from './subscriptions/joining/confirm-token.ts';
import type { createPlanTokens } from './subscriptions/plans/plan-token.ts';
import type { createUnsubscribeTokens } from './subscriptions/unsubscribe-token.ts';
import type { createReportReaders } from './suppressions/report-readers.ts';

export type Newsletters = Readonly<{
  mailer: Mailer;
  /** Reads reports from email providers. */
  readReport: ReturnType<typeof createReportReaders>;
  confirmTokens: ReturnType<typeof createConfirmTokens>;
  tokens: ReturnType<typeof createUnsubscribeTokens>;
  planTokens: ReturnType<typeof createPlanTokens>;
  viewTokens: ReturnType<typeof createViewTokens>;
  referralTokens: ReturnType<typeof createReferralTokens>;
  /** Signs the links that count opens and clicks. */
  hitTokens: ReturnType<typeof createViewTokens>;
  /** Opens and clicks that are not written yet. */
  hits: Hits;
  linksOf: ReturnType<typeof createLinkCache>;
  feedTokens: ReturnType<typeof createFeedTokens>;
  /** Null if the rate is unlimited. */
  rateLimiter: ReturnType<typeof createRateLimiter> | null;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly newsletters: Newsletters;
  }
}
