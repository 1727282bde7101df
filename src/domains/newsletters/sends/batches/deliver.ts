import { randomUUID } from 'node:crypto';
import type { BulkRecipient } from '../../../../providers/mail/port.ts';
import { fill } from '../../../../shared/mail/template.ts';
import { type BusinessRow, getBusiness } from '../../../businesses/index.ts';
import type { Steps } from '../../context.ts';
import type { MailContent } from '../../rendering/compose-mail.ts';
import { hitUrls } from '../../stats/hit-urls.ts';
import { tracked } from '../../stats/track-links.ts';
import type { SendRow } from '../send-queries.ts';
import { recipientValues } from '../view-issue.ts';
import { type ClaimedDelivery, createBatchQueue } from './batch-queue.ts';
import { createDatabaseRetry } from './database-retry.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { BATCH_SIZE } from './queries.ts';
import { type LoopEnd, runSenderLoop } from './sender-loop.ts';

/** How long a send pauses when the mail server is unreachable. */
const UNREACHABLE_PAUSE_SECONDS = 30;

type FrozenSend = SendRow & { content: MailContent };

/** A send's share of this process. Both values change as sends start and finish, and running sends follow within seconds. */
export type Share = { connections: () => number; sliceSeconds: () => number };

/**
 * Sends the due deliveries of a frozen send until its time slice ends, then releases its batches. Any number of workers can work on
 * a send at the same time. While the database is unavailable, it waits and then continues.
 */
export async function deliver(ctx: Steps, send: FrozenSend, share: Share): Promise<void> {
  const { clock, signal, log, newsletters } = ctx;
  const leaseSeconds = ctx.config.mailLeaseSeconds;
  const business = await getBusiness(ctx, send.businessId);
  const startedMs = performance.now();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  const isOver = () => isStopped || signal.aborted || performance.now() > startedMs + share.sliceSeconds() * 1000;

  const { rateLimiter } = newsletters;
  const sender = newsletters.mailer.bulk([send.content.mail, ...(send.content.alternatives ?? [])]);
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
    recipientOf: createRecipientOf(ctx, business, send),
    waitForRate: rateLimiter && (() => rateLimiter.wait(isOver)),
    onCancelled: stop,
  };
  const loops: Promise<LoopEnd>[] = [];
  let connections = 0;
  const surplus = () => connections - Math.min(sender.maxConnections, share.connections());

  async function runLoop(): Promise<LoopEnd> {
    let hasLeft = false;
    connections++;
    const leaves = () => {
      hasLeft = surplus() > 0;
      if (hasLeft) connections--;
      return hasLeft;
    };
    try {
      return await runSenderLoop({ ...options, leaves });
    } catch (error) {
      stop();
      throw error;
    } finally {
      if (!hasLeft) connections--;
    }
  }

  /** The share grows when other sends end. */
  function useShare(): void {
    while (!isOver() && surplus() < 0) {
      const loop = runLoop();
      // It can fail while `allEnds` waits for another loop. A rejection that nobody handles would end the process.
      loop.catch(() => {});
      loops.push(loop);
    }
  }

  const heartbeat = setInterval(
    () => {
      useShare();
      queue.renewLeases().catch((error) => log.warn({ err: error, sendId: send.id }, 'Failed to renew leases'));
    },
    (leaseSeconds * 1000) / 3,
  );
  try {
    useShare();
    const ends = await allEnds(loops);
    const isUnreachable = ends.includes('SERVER_UNREACHABLE');
    if (isUnreachable) log.warn({ sendId: send.id }, 'Mail server unreachable');
    const notBefore = isUnreachable && !isOver() ? clock.seconds() + UNREACHABLE_PAUSE_SECONDS : 0;
    stop();
    await queue.close(notBefore);
  } finally {
    clearInterval(heartbeat);
  }
}

/** Waits for all loops, including those added in the meantime, even if one fails, so that none keeps running. */
async function allEnds(loops: readonly Promise<LoopEnd>[]): Promise<LoopEnd[]> {
  for (const loop of loops) await loop.catch(() => {});
  return Promise.all(loops);
}

function createRecipientOf(
  ctx: Steps,
  business: BusinessRow,
  { id, businessId, content }: FrozenSend,
): (delivery: ClaimedDelivery) => BulkRecipient {
  const { domain, tracking, links = [], subjects, alternatives } = content;
  return ({ subscriptionId, email, name, variant }) => {
    const issue = { businessId, sendId: id, subscriptionId };
    let values: Record<string, string> = recipientValues(ctx, business, { ...issue, email, name });
    if (tracking) values = { ...values, ...tracked(hitUrls(ctx, issue), links.length) };
    const subject = variant === null ? undefined : subjects?.[variant];
    if (subject) values.subject = fill(subject, (variable) => values[variable] ?? '');
    const version = alternatives && variant !== null ? variant : 0;
    return { to: email, messageId: `${id}.${subscriptionId}@${domain}`, version, values };
  };
}
