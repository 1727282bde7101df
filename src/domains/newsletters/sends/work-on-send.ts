import type { Platform } from '../../../context/index.ts';
import type { Command, NewsletterServices, Steps } from '../context.ts';
import { completeSend, secondsUntilDue } from './batch-queries.ts';
import { deliver, type Share } from './deliver.ts';
import {
  enqueueCheck,
  enqueueHelper,
  enqueueSend,
  enqueueStart,
  SEND_JOB,
  type SendJob,
  START_JOB,
  SWEEP_JOB,
} from './jobs.ts';
import { listOpenSends, type SendRow } from './send-queries.ts';
import { skipUnsent } from './skip-unsent.ts';
import { startSend } from './start-send.ts';
import { tellSend } from './tell.ts';

/** A worker helps with one send for this long, then lets other sends have their share; sooner when others may be waiting. */
const SLICE_SECONDS = 60;
const CROWDED_SLICE_SECONDS = 2;

/** Sends that one process delivers at once, and the SMTP connections that those which begin divide among them. */
const CONCURRENCY = 20;
const CONNECTIONS = 20;

const CHECK_EVERY_SECONDS = 30;

/** Much longer than a slice: a worker that waits for the database must not be told to stop. */
const EXPIRE_SECONDS = 3600;

/**
 * The jobs of sending. As long as a send is open there is a job for it: each one enqueues the next before it works and after
 * it, and a sweep finds those whose job was lost. What a killed worker had leased is free when the lease expires.
 */
export function registerSendJobs(platform: Platform): void {
  const running = new Set<string>();
  const share: Share = {
    connections: () => Math.max(1, Math.floor(CONNECTIONS / running.size)),
    sliceSeconds: () => (running.size < CONCURRENCY ? SLICE_SECONDS : CROWDED_SLICE_SECONDS),
  };

  platform.handleJobs<SendJob, NewsletterServices>({
    name: START_JOB,
    urgent: true,
    oncePerKey: true,
    concurrency: 4,
    handle: startScheduled,
  });
  platform.handleJobs<SendJob, NewsletterServices>({
    name: SEND_JOB,
    urgent: true,
    oncePerKey: true,
    concurrency: CONCURRENCY,
    retryLimit: 3,
    expireSeconds: EXPIRE_SECONDS,
    async handle(ctx, { businessId, sendId }) {
      if (running.has(sendId)) return ctx.transaction((tx) => enqueueHelper(tx, { businessId, id: sendId }));
      running.add(sendId);
      try {
        await workOnSend(ctx, sendId, share);
      } finally {
        running.delete(sendId);
      }
    },
  });
  platform.handleJobs<object, NewsletterServices>({ name: SWEEP_JOB, cron: '* * * * *', handle: sweepSends });
}

/** Freezes a send whose time has come; another job delivers it. */
async function startScheduled(ctx: Steps, { sendId }: SendJob): Promise<void> {
  const send = await startSend(ctx, sendId);
  if (send?.frozen) await enqueueNext(ctx, send, 0);
  else if (send) await ctx.transaction((tx) => enqueueStart(tx, send, Math.max(1, send.scheduledAt - tx.now)));
}

async function workOnSend(ctx: Steps, id: string, share: Share): Promise<void> {
  const { clock } = ctx;
  const send = await startSend(ctx, id);
  if (!send) return;
  if (!send.frozen) return enqueueNext(ctx, send, send.scheduledAt - clock.seconds());
  if (send.status === 'CANCELLED') await skipUnsent(ctx, send);
  else if ((await secondsUntilDue(ctx.db, send, clock.seconds())) === 0) {
    await ctx.transaction((tx) => enqueueHelper(tx, send));
    await deliver(ctx, { ...send, content: send.content! }, share);
  }
  if (await ctx.transaction((tx) => complete(tx, send))) return;
  const nextSeconds = await secondsUntilDue(ctx.db, send, clock.seconds());
  await enqueueNext(ctx, send, Math.min(nextSeconds, CHECK_EVERY_SECONDS));
}

async function complete(ctx: Command, send: SendRow): Promise<boolean> {
  const state = await completeSend(ctx.db, send, ctx.now);
  if (state === 'SENT') await tellSend(ctx, 'newsletter.sent', send);
  return state !== 'OPEN';
}

const enqueueNext = (ctx: Steps, send: SendRow, seconds: number) =>
  ctx.transaction((tx) => enqueueSend(tx, send, Math.max(0, seconds)));

/** Enqueues a job for every send that is open and due, of all businesses. */
export async function sweepSends(ctx: Steps): Promise<void> {
  const sends = await listOpenSends(ctx.db, ctx.now);
  await ctx.transaction(async (tx) => {
    for (const send of sends) await enqueueCheck(tx, send);
  });
}
