import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../db/connection.ts';
import { skipRest } from './cancel-send.ts';
import { type DeliverDeps, deliver } from './deliver.ts';
import { completeSend, nextDue } from './delivery-queries.ts';
import { enqueueHelp, enqueueLook, enqueueSend, SEND_JOB, type SendJob, SWEEP_JOB } from './jobs.ts';
import { listOpenSends, type SendKey, type SendRow } from './send-queries.ts';
import type { SourceDeps } from './source.ts';
import { startSend } from './start-send.ts';

/** A worker helps with one send for this long, then gives way to others that wait. */
const SLICE_SECONDS = 60;
const LOOK_EVERY_SECONDS = 30;

export type WorkDeps = SourceDeps & DeliverDeps;

/**
 * The jobs of sending. As long as a send is open there is a job that will look at it: each one enqueues the next before it
 * works and after it, and a sweep finds those whose job was lost. What a killed worker held is free when its lease runs out.
 */
export function registerWork(deps: WorkDeps) {
  const { jobs, pool, clock } = deps;
  const underWay = new Set<string>();

  async function handle({ businessId, sendId }: SendJob, signal: AbortSignal): Promise<void> {
    const key = { businessId, id: sendId };
    if (underWay.has(sendId)) return inTransaction(pool, (tx) => enqueueHelp(jobs, tx, key));
    underWay.add(sendId);
    try {
      const send = await startSend(deps, key);
      if (send) await goOn(send, signal);
    } finally {
      underWay.delete(sendId);
    }
  }

  async function goOn(send: SendRow, signal: AbortSignal): Promise<void> {
    if (!send.frozen) return again(send, send.scheduledAt - clock.seconds());
    if (send.status === 'CANCELLED') await skipRest(deps, send, randomUUID());
    else if ((await nextDue(pool, send, clock.seconds())) === 0) {
      await inTransaction(pool, (tx) => enqueueHelp(jobs, tx, send));
      await deliver(deps, { ...send, content: send.content! }, { signal, sliceSeconds: SLICE_SECONDS });
    }
    const isOver = await inTransaction(pool, (tx) => completeSend(tx, send, clock.seconds()));
    if (!isOver) await again(send, Math.min(await nextDue(pool, send, clock.seconds()), LOOK_EVERY_SECONDS));
  }

  const again = (send: SendKey, seconds: number) =>
    inTransaction(pool, (tx) => enqueueSend(jobs, tx, send, Math.max(0, seconds)));

  /** Looks after every send that is open and due. */
  async function sweep(): Promise<void> {
    const sends = await listOpenSends(pool, clock.seconds());
    await inTransaction(pool, async (tx) => {
      for (const send of sends) await enqueueLook(jobs, tx, send);
    });
  }

  jobs.register<SendJob>({
    ...{ name: SEND_JOB, handle, urgent: true, oncePerKey: true, concurrency: 4 },
    ...{ retryLimit: 3, expireSeconds: SLICE_SECONDS * 3 },
  });
  jobs.register({ name: SWEEP_JOB, cron: '* * * * *', handle: sweep });
  return { sweep };
}
