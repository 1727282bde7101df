import { randomUUID } from 'node:crypto';
import type { Platform } from '../../context/index.ts';
import type { Steps } from './context.ts';
import { abandonQueue, leaseQueue, listDueQueues, type QueueName, releaseQueue } from './delivery-queries.ts';
import { createRunner } from './runner.ts';

/** Webhooks that one process handles concurrently. An unreachable receiver occupies a slot until its calls time out. */
const MAX_QUEUES = 500;

/**
 * Processes the queues of webhooks. Each queue is leased by one process at a time, so that a slow receiver does not delay others.
 * When a process crashes, its leases expire and others take over.
 */
export function handleDeliveries({ handleBatches }: Platform): void {
  const lease = randomUUID();
  handleBatches<QueueName>({
    name: 'webhooks',
    concurrency: MAX_QUEUES,
    waiting: 'from webhook_queues where due_at <= $1 * 1000 and leased_until < $1 * 1000',
    list: (ctx, businessId, limit) => listDueQueues(ctx.db, businessId, ctx.webhooks.nowMs(), limit),
    run: (ctx, name) => sendDue(ctx, name, lease),
  });
}

/** Sends all due deliveries of a queue. `lease` identifies this process. Returns true if deliveries were added in the meantime. */
async function sendDue(ctx: Steps, name: QueueName, lease: string): Promise<boolean> {
  const leaseMs = ctx.config.webhookLeaseSeconds * 1000;
  const acquire = () => {
    const nowMs = ctx.webhooks.nowMs();
    return ctx.write((tx) => leaseQueue(tx, name, { lease, nowMs, untilMs: nowMs + leaseMs }));
  };
  const acquired = await acquire();
  if (!acquired) return false;
  const renewing = setInterval(() => void acquire().catch(() => {}), leaseMs / 3);
  try {
    await createRunner(ctx, name, acquired.interruptions).run();
    if (!ctx.signal.aborted)
      return !(await ctx.write((tx) => releaseQueue(tx, name, { lease, wakes: acquired.wakes })));
    await ctx.write((tx) => abandonQueue(tx, name, lease));
    return false;
  } finally {
    clearInterval(renewing);
  }
}
