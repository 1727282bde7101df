import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import type { Mailer } from '../../providers/mail/port.ts';
import { renewLeases } from './delivery-queries.ts';
import { type Claimed, createFeed } from './feed.ts';
import { runLane } from './lane.ts';
import { createLedger } from './ledger.ts';
import type { Pace } from './pace.ts';
import type { SendRow } from './send-queries.ts';
import type { UnsubscribeTokens } from './unsubscribe-token.ts';

export const BATCH_SIZE = 200;

/** How long a send rests when the mail server cannot be reached. */
const AWAY_SECONDS = 30;

export type DeliverDeps = Deps & { mailer: Mailer; tokens: UnsubscribeTokens; pace: Pace | null };

/**
 * Sends what there is to send of a frozen send, for `sliceSeconds` at most, and gives back the batches it holds. Any number of
 * workers may do this to one send at a time. Raises when the database is away: its leases then run out by themselves.
 */
export async function deliver(
  deps: DeliverDeps,
  send: SendRow & { content: NonNullable<SendRow['content']> },
  { signal, sliceSeconds }: { signal: AbortSignal; sliceSeconds: number },
): Promise<void> {
  const { pool, clock, mailer, tokens, pace, config } = deps;
  const { mail, domain } = send.content;
  const owner = randomUUID();
  const leaseSeconds = config.mailLeaseSeconds;
  const endAt = performance.now() + sliceSeconds * 1000;
  let stopped = false;
  const isOver = () => stopped || signal.aborted || performance.now() > endAt;

  const bulk = mailer.bulk(mail);
  const ledger = createLedger(pool, send, clock.seconds);
  const feed = createFeed({ pool, clock, send, owner, leaseSeconds, lowWater: BATCH_SIZE / 2, isOver });
  const base = deps.publicUrl();
  const address = ({ subscriptionId, email, name }: Claimed) => ({
    to: email,
    messageId: `${send.id}.${subscriptionId}@${domain}`,
    values: {
      'subscriber.name': name || email.slice(0, email.lastIndexOf('@')),
      'subscriber.email': email,
      unsubscribeUrl: tokens.url(base, send.businessId, subscriptionId),
    },
  });
  const stop = () => {
    stopped = true;
  };
  const lane = () =>
    runLane({
      ...{ bulk, feed, ledger, clock, address, onUnknown: send.onUnknown },
      pace: pace && (() => pace.next(isOver)),
      onStopped: stop,
    }).catch((error) => {
      stop();
      throw error;
    });

  const beat = setInterval(
    () => {
      inTransaction(pool, (tx) => renewLeases(tx, send, owner, leaseSeconds)).catch((error) =>
        deps.log.warn({ err: error, sendId: send.id }, 'leases could not be renewed'),
      );
    },
    (leaseSeconds * 1000) / 3,
  );
  try {
    const ends = await Promise.allSettled(Array.from({ length: bulk.maxConnections }, lane));
    const broken = ends.find((end) => end.status === 'rejected');
    if (broken) throw broken.reason;
    const isAway = ends.some((end) => end.status === 'fulfilled' && end.value === 'away');
    if (isAway) deps.log.warn({ sendId: send.id }, 'the mail server could not be reached');
    const notBefore = isAway && !isOver() ? clock.seconds() + AWAY_SECONDS : 0;
    await feed.close(notBefore);
  } finally {
    clearInterval(beat);
  }
}
