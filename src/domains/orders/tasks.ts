import type { Platform } from '../../context/index.ts';
import { deleteOldStatements } from './bank-transfer/queries.ts';
import type { Steps } from './context.ts';
import { sendMail } from './mails/order-mails.ts';
import { countSold } from './money/count-sold.ts';
import { sendTaxReport, TAX_REPORT, type TaxReportTask } from './money/tax-reports.ts';
import { expireOrder } from './placing/expiry.ts';
import type { OrderTask } from './task-queries.ts';
import { repeatVatCheck } from './vat-check.ts';

/** Bank statements contain the names of payers. */
const STATEMENTS_KEPT_SECONDS = 90 * 86_400;

/** Order tasks have their own table, narrower than `tasks`, because every checkout inserts into it. */
export function registerTasks(platform: Platform): void {
  platform.handleDueRows<OrderTask>({
    name: 'order-tasks',
    concurrency: 2,
    table: {
      name: 'order_tasks',
      key: 'id',
      due: 'due_at',
      columns: ['order_id', 'kind', 'amount', 'shipment_id', 'return_id'],
    },
    handle: runTask,
  });
  platform.handleJobs({
    name: 'bank-statements-upkeep',
    cron: '20 3 * * *',
    handle: (ctx) => ctx.write((tx) => deleteOldStatements(tx, ctx.now - STATEMENTS_KEPT_SECONDS)),
  });
  platform.handleJobs<object>({ name: 'best-sellers', cron: '50 2 * * *', expireSeconds: 14_400, handle: countSold });
  platform.handleTasks<TaxReportTask>({
    name: TAX_REPORT,
    // Retries for about a month.
    retryLimit: 1000,
    retryDelayMaxSeconds: 3600,
    handle: sendTaxReport,
  });
}

function runTask(ctx: Steps, task: OrderTask): Promise<void> {
  if (task.kind === 'EXPIRY') return expireOrder(ctx, task);
  if (task.kind === 'VAT_CHECK') return repeatVatCheck(ctx, task);
  return sendMail(ctx, { ...task, kind: task.kind });
}
