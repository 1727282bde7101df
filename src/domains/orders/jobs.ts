import { inTransaction } from '../../db/connection.ts';
import { PaymentRefused } from '../../providers/payments/port.ts';
import type { OrdersContext } from './context.ts';
import { MAIL_JOB, type MailJob, sendMail } from './mails.ts';
import { REFUND_JOB, WATCH_JOB } from './payments.ts';
import { deleteOutdated } from './queries.ts';
import { executeRefund } from './refund.ts';

/** Stripe sends an event again for three days at most. */
const EVENTS_KEPT_SECONDS = 30 * 86_400;

export function registerJobs(ctx: OrdersContext): void {
  const { deps, payments, businesses } = ctx;

  deps.jobs.register<{ businessId: string; paymentId: string }>({
    name: WATCH_JOB,
    concurrency: 2,
    handle: ({ businessId, paymentId }) => payments.watch(businessId, paymentId),
  });

  deps.jobs.register<{ businessId: string; refundId: string }>({
    name: REFUND_JOB,
    retryLimit: 50,
    retryDelayMaxSeconds: 3600,
    async handle({ businessId, refundId }) {
      try {
        await executeRefund(ctx, businessId, refundId);
      } catch (error) {
        if (!(error instanceof PaymentRefused)) throw error;
        deps.log.error({ err: error, businessId, refundId }, 'the payment provider refused a refund');
      }
    },
  });

  deps.jobs.register<MailJob>({
    name: MAIL_JOB,
    concurrency: 2,
    handle: (job) => sendMail(deps, businesses, job),
  });

  deps.jobs.register({
    name: 'orders-upkeep',
    cron: '*/15 * * * *',
    handle: () => {
      const now = deps.clock.seconds();
      return inTransaction(deps.pool, (tx) => deleteOutdated(tx, now, now - EVENTS_KEPT_SECONDS));
    },
  });
}
