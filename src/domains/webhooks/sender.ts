import { randomUUID } from 'node:crypto';
import type { Logger } from '../../shared/logger.ts';
import type { Steps } from './context.ts';
import { abandonQueue, leaseQueue, listDueQueues, type QueueName, releaseQueue } from './delivery-queries.ts';
import { createRunner } from './runner.ts';

const SWEEP_MS = 1000;
/** Webhooks that one process works on at once. A dead one takes one of these for as long as its calls take to fail. */
const MAX_QUEUES = 500;

/**
 * Works on the queues of webhooks. Each has a runner of its own, in one process at a time by a lease, so that a slow receiver
 * keeps nobody else waiting. When a process dies, its leases end and others go on.
 */
export function createSender({ system, log }: { system: () => Steps; log: Logger }) {
  const lease = randomUUID();
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let sweeping: NodeJS.Timeout | undefined;

  async function run(name: QueueName): Promise<void> {
    const ctx = system().within(name.businessId);
    const nowMs = ctx.webhooks.nowMs();
    const leaseMs = ctx.config.webhookLeaseSeconds * 1000;
    const take = (atMs: number) =>
      ctx.write((tx) => leaseQueue(tx, name, { lease, nowMs: atMs, untilMs: atMs + leaseMs }));
    let taken = await take(nowMs);
    if (!taken) return;
    const renewing = setInterval(() => void take(ctx.webhooks.nowMs()).catch(() => {}), leaseMs / 3);
    try {
      do {
        const { wakes } = taken;
        await createRunner(ctx, name, stopping.signal).run();
        if (stopping.signal.aborted) return await ctx.write((tx) => abandonQueue(tx, name, lease));
        if (await ctx.write((tx) => releaseQueue(tx, name, { lease, wakes }))) return;
        taken = await take(ctx.webhooks.nowMs());
      } while (taken);
    } finally {
      clearInterval(renewing);
    }
  }

  async function look(businessId: string | null): Promise<void> {
    if (stopping.signal.aborted) return;
    const ctx = system();
    const free = MAX_QUEUES - running.size;
    if (free <= 0) return;
    for (const name of await listDueQueues(ctx.db, businessId, ctx.webhooks.nowMs(), free)) {
      const key = `${name.businessId}/${name.webhookId}`;
      if (running.has(key)) continue;
      const ended = run(name)
        .catch((error) => log.warn({ err: error, ...name }, 'A webhook could not be worked on. It is tried again.'))
        .finally(() => running.delete(key));
      running.set(key, ended);
    }
  }

  const lookQuietly = (businessId: string | null) => look(businessId).catch(() => {});

  return {
    /** Deliveries of this business may be due. */
    wake: (businessId: string) => void (sweeping && lookQuietly(businessId)),
    start(): void {
      sweeping = setInterval(() => void lookQuietly(null), SWEEP_MS);
    },
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(sweeping);
      await Promise.all(running.values());
    },
  };
}
