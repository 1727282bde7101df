import type { Platform } from '../../context/index.ts';
import type { Steps } from './context.ts';
import { sendMail } from './mails/order-mails.ts';
import { expireOrder } from './placing/expiry.ts';
import type { OrderTask } from './task-queries.ts';

/** Order tasks have their own table, narrower than `tasks`, because every checkout inserts into it. */
export function registerTasks(platform: Platform): void {
  platform.handleDueRows<OrderTask>({
    name: 'order-tasks',
    concurrency: 2,
    table: { name: 'order_tasks', key: 'id', due: 'due_at', columns: ['order_id', 'kind', 'amount'] },
    handle: runTask,
  });
}

const runTask = (ctx: Steps, task: OrderTask): Promise<void> =>
  task.kind === 'EXPIRY' ? expireOrder(ctx, task) : sendMail(ctx, { ...task, kind: task.kind });
