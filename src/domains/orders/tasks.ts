import type { Platform } from '../../context/index.ts';
import type { OrderServices, Steps } from './context.ts';
import { expireOrder } from './expiry.ts';
import { sendMail } from './mails.ts';
import type { OrderTask } from './task-queries.ts';

export function registerTasks(platform: Platform): void {
  platform.handleDueRows<OrderTask, OrderServices>({
    name: 'order-tasks',
    concurrency: 2,
    table: { name: 'order_tasks', key: 'id', due: 'due_at', columns: ['order_id', 'kind', 'amount'] },
    handle: runTask,
  });
}

const runTask = (ctx: Steps, task: OrderTask): Promise<void> =>
  task.kind === 'EXPIRY' ? expireOrder(ctx, task) : sendMail(ctx, { ...task, kind: task.kind });
