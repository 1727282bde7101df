import type { Platform } from '../../context/index.ts';
import type { PaymentServices } from './context.ts';
import { deleteOldEvents } from './queries.ts';
import { completeRefund, REFUND_JOB, type RefundJob } from './refund.ts';
import { WATCH_JOB, type WatchJob, watchPayment } from './watch.ts';

/** Stripe sends an event again for three days at most. */
const EVENTS_STORED_SECONDS = 30 * 86_400;

export function registerJobs(platform: Platform): void {
  platform.handleJobs<WatchJob, PaymentServices>({
    name: WATCH_JOB,
    concurrency: 2,
    handle: (ctx, { paymentId }) => watchPayment(ctx, paymentId),
  });

  platform.handleJobs<RefundJob, PaymentServices>({
    name: REFUND_JOB,
    handle: completeRefund,
  });

  platform.handleJobs({
    name: 'payments-upkeep',
    cron: '*/15 * * * *',
    handle: (ctx) => ctx.write((tx) => deleteOldEvents(tx, ctx.now - EVENTS_STORED_SECONDS)),
  });
}
