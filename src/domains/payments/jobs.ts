import type { Platform } from '../../context/index.ts';
import { deleteOldEvents } from './queries.ts';
import { completeRefund } from './refund.ts';
import { watchPayment } from './watch.ts';

/** Stripe retries an event for up to three days. */
const EVENTS_STORED_SECONDS = 30 * 86_400;

export function registerJobs(platform: Platform): void {
  platform.handleDueRows<{ id: string }>({
    name: 'payment-watch',
    concurrency: 2,
    table: { name: 'payments', key: 'id', due: `(case when status = 'OPEN' then due_at end)`, columns: [] },
    handle: watchPayment,
  });

  platform.handleDueRows<{ id: string }>({
    name: 'payment-refund',
    table: { name: 'refunds', key: 'id', due: `(case when status = 'PENDING' then due_at end)`, columns: [] },
    handle: completeRefund,
  });

  platform.handleJobs({
    name: 'payments-upkeep',
    cron: '*/15 * * * *',
    handle: (ctx) => ctx.write((tx) => deleteOldEvents(tx, ctx.now - EVENTS_STORED_SECONDS)),
  });
}
