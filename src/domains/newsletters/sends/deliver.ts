import { randomUUID } from 'node:crypto';
import type { BulkRecipient } from '../../../providers/mail/port.ts';
import type { Steps } from '../context.ts';
import type { MailContent } from '../rendering/compose-mail.ts';
import { BATCH_SIZE } from './batch-queries.ts';
import { type ClaimedDelivery, createBatchQueue } from './batch-queue.ts';
import { createDatabaseRetry } from './database-retry.ts';
import { createDeliveryLog } from './delivery-log.ts';
import type { SendRow } from './send-queries.ts';
import { type LoopEnd, runSenderLoop } from './sender-loop.ts';

/** How long a send pauses when the mail server cannot be reached. */
const UNREACHABLE_PAUSE_SECONDS = 30;

type FrozenSend = SendRow & { content: MailContent };

/** What one of several sends may take of this process. Both change as others come and go. */
export type Share = { connections: () => number; sliceSeconds: () => number };

/**
 * Sends what is due of a frozen send, as long as its share lasts, and releases its batches. Any number of workers may do this
 * to one send at a time. While the database is away it waits, and goes on where it was.
 */
export async function deliver(ctx: Steps, send: FrozenSend, share: Share): Promise<void> {
  const { clock, signal, log, newsletters } = ctx;
  const leaseSeconds = ctx.config.mailLeaseSeconds;
  const startedMs = performance.now();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  const isOver = () => isStopped || signal.aborted || performance.now() > startedMs + share.sliceSeconds() * 1000;

  const { rateLimiter } = newsletters;
  const sender = newsletters.mailer.bulk(send.content.mail);
  const retry = createDatabaseRetry(ctx);
  const queue = createBatchQueue(ctx, {
    send,
    owner: randomUUID(),
    leaseSeconds,
    lowWaterMark: BATCH_SIZE / 2,
    isOver,
    retry,
  });
  const options = {
    sender,
    queue,
    clock,
    log: createDeliveryLog(ctx, send, retry),
    onUnknown: send.onUnknown,
    recipientOf: createRecipientOf(ctx, send),
    waitForRate: rateLimiter && (() => rateLimiter.wait(isOver)),
    onCancelled: stop,
  };
  const runLoop = () =>
    runSenderLoop(options).catch((error) => {
      stop();
      throw error;
    });

  const heartbeat = setInterval(
    () => {
      queue.renewLeases().catch((error) => log.warn({ err: error, sendId: send.id }, 'leases could not be renewed'));
    },
    (leaseSeconds * 1000) / 3,
  );
  try {
    const ends = await allEnds(Array.from({ length: Math.min(sender.maxConnections, share.connections()) }, runLoop));
    const isUnreachable = ends.includes('SERVER_UNREACHABLE');
    if (isUnreachable) log.warn({ sendId: send.id }, 'the mail server could not be reached');
    await queue.close(isUnreachable && !isOver() ? clock.seconds() + UNREACHABLE_PAUSE_SECONDS : 0);
  } finally {
    clearInterval(heartbeat);
  }
}

/** Waits for every loop, also when one has failed: none may go on by itself. */
async function allEnds(loops: Promise<LoopEnd>[]): Promise<LoopEnd[]> {
  await Promise.allSettled(loops);
  return Promise.all(loops);
}

function createRecipientOf(
  ctx: Steps,
  { id, businessId, content }: FrozenSend,
): (delivery: ClaimedDelivery) => BulkRecipient {
  const baseUrl = ctx.publicUrl();
  const { tokens } = ctx.newsletters;
  return ({ subscriptionId, email, name }) => ({
    to: email,
    messageId: `${id}.${subscriptionId}@${content.domain}`,
    values: {
      'subscriber.name': name || email.slice(0, email.lastIndexOf('@')),
      'subscriber.email': email,
      unsubscribeUrl: tokens.url(baseUrl, businessId, subscriptionId),
    },
  });
}
