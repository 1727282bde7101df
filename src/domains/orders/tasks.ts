import type { Platform } from '../../context/index.ts';
import type { OrderServices, Steps } from './context.ts';
import { expireOrder } from './expiry.ts';
import { sendMail } from './mails.ts';
import { insertTask, type OrderTask } from './task-queries.ts';

/**
 * Where a version without migration 0111 writes what is to be done for an order. It may run beside this one for a while, and
 * after its end nobody else would look there. Needed until the version in `test/upgrade/former-version` has that migration.
 */
const FORMER_QUEUES = ['order-mail', 'order-expiry'];

type FormerJob = Pick<OrderTask, 'businessId' | 'orderId'> & Partial<Pick<OrderTask, 'kind' | 'amount'>>;

export function registerTasks(platform: Platform): void {
  platform.handleDueRows<OrderTask, OrderServices>({
    name: 'order-tasks',
    concurrency: 2,
    table: { name: 'order_tasks', key: 'id', due: 'due_at', columns: ['order_id', 'kind', 'amount'] },
    handle: runTask,
  });
  for (const name of FORMER_QUEUES) platform.handleJobs<FormerJob, OrderServices>({ name, handle: takeOver });
}

const runTask = (ctx: Steps, task: OrderTask): Promise<void> =>
  task.kind === 'EXPIRY' ? expireOrder(ctx, task) : sendMail(ctx, { ...task, kind: task.kind });

async function takeOver(ctx: Steps, { businessId, orderId, kind = 'EXPIRY', amount = null }: FormerJob): Promise<void> {
  await ctx.write((tx) => insertTask(tx, { businessId, orderId, kind, amount, dueAt: ctx.now }));
}
