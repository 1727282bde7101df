import { findOldestPosition } from '../events/index.ts';
import type { Steps } from './context.ts';
import { deleteDeliveriesBefore, listQueues, type QueueName } from './delivery-queries.ts';

const QUEUES = 200;
const BATCH = 2000;

/** Deletes deliveries whose event was deleted, webhook by webhook. Without its event, a delivery can't be sent. */
export async function deleteOldDeliveries(ctx: Steps): Promise<void> {
  for (let after: QueueName = { businessId: '', webhookId: '' }; ; ) {
    const queues = await listQueues(ctx.db, after, QUEUES);
    for (const queue of queues) {
      const oldest = await findOldestPosition(ctx.db, queue.businessId);
      while ((await ctx.write((tx) => deleteDeliveriesBefore(tx, queue, oldest, BATCH))).length === BATCH) {
        if (ctx.signal.aborted) return;
      }
    }
    if (queues.length < QUEUES) return;
    after = queues.at(-1)!;
  }
}
