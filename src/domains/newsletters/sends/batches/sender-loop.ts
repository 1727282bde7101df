import {
  type BulkConnection,
  type BulkRecipient,
  type BulkSender,
  MailRefused,
} from '../../../../providers/mail/port.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { OnUnknown } from '../send-queries.ts';
import type { BatchQueue, ClaimedDelivery } from './batch-queue.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { Outcome, Permission } from './mark-queries.ts';
import { refusedOutcome, sentOutcome } from './outcome.ts';

type SenderLoopOptions = {
  sender: BulkSender;
  queue: BatchQueue;
  log: DeliveryLog;
  clock: Clock;
  onUnknown: OnUnknown;
  recipientOf: (delivery: ClaimedDelivery) => BulkRecipient;
  /** Waits until the next message may be sent. Null if the rate is unlimited. */
  waitForRate: (() => Promise<void>) | null;
  /** Whether to close this connection, because the send has more than its share. */
  leaves: () => boolean;
  onCancelled: () => void;
};

export type LoopEnd = 'DONE' | 'SERVER_UNREACHABLE';

/**
 * Sends messages over one connection until the queue is empty. While a message's envelope goes to the mail server, the outcome of
 * the last message and the mark of this one go to the database. The message body waits for both.
 */
export async function runSenderLoop(options: SenderLoopOptions): Promise<LoopEnd> {
  const { sender, queue, log, waitForRate, leaves } = options;
  let connection: BulkConnection | null = null;
  let last: { delivery: ClaimedDelivery; outcome: Outcome } | null = null;

  const writeLast = async () => {
    if (!last) return;
    const { delivery, outcome } = last;
    last = null;
    await log.write(outcome, null);
    queue.finish(delivery);
  };

  try {
    while (!leaves()) {
      if (waitForRate) {
        await writeLast();
        await waitForRate();
      }
      const delivery = queue.take();
      if (!delivery) {
        await writeLast();
        if (await queue.waitForMore()) continue;
        return 'DONE';
      }
      if (!connection?.isOpen()) {
        await writeLast();
        connection = await sender.connect().catch(() => null);
        if (!connection) {
          queue.putBack(delivery);
          return 'SERVER_UNREACHABLE';
        }
      }
      const before: typeof last = last;
      last = null;
      const permission = log.write(before?.outcome ?? null, delivery);
      const outcome = await attempt(options, connection, delivery, permission);
      if (before) queue.finish(before.delivery);
      if (outcome) last = { delivery, outcome };
    }
    await writeLast();
    return 'DONE';
  } finally {
    connection?.close();
  }
}

/** Returns null if the message was not sent and this worker won't send it, so there is no outcome to store. */
async function attempt(
  { queue, clock, recipientOf, onUnknown, onCancelled }: SenderLoopOptions,
  connection: BulkConnection,
  delivery: ClaimedDelivery,
  permission: Promise<Permission>,
): Promise<Outcome | null> {
  const isPermitted = permission.then((granted) => granted === 'ATTEMPTING');
  isPermitted.catch(() => {});
  const error = await connection.send(recipientOf(delivery), isPermitted).then(
    () => null,
    (reason: Error) => reason,
  );
  switch (await permission) {
    case 'SKIPPED':
      queue.finish(delivery);
      return null;
    case 'LEASE_LOST':
      queue.dropBatch(delivery);
      return null;
    case 'CANCELLED':
      onCancelled();
      return null;
  }
  if (error === null) return sentOutcome(delivery);
  if (!(error instanceof MailRefused)) throw error;
  return refusedOutcome(delivery, error, onUnknown, clock.seconds());
}
