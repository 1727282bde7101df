import { type BulkConnection, type BulkSender, MailRefused } from '../../providers/mail/port.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Claimed, Feed } from './feed.ts';
import type { Ledger } from './ledger.ts';
import type { Leave, Outcome } from './ledger-queries.ts';
import { refused, sent } from './retry.ts';
import type { OnUnknown } from './send-queries.ts';

export type LaneOptions = {
  bulk: BulkSender;
  feed: Feed;
  ledger: Ledger;
  clock: Clock;
  onUnknown: OnUnknown;
  /** The message of one delivery. */
  address: (delivery: Claimed) => Parameters<BulkConnection['send']>[0];
  /** Waits for the turn of the next message when a rate is set; null: none is. */
  pace: (() => Promise<void>) | null;
  /** Called when the send was cancelled. */
  onStopped: () => void;
};

/** `away`: the mail server could not be reached. */
export type LaneEnd = 'done' | 'away';

/**
 * Sends over one connection, message after message, until nothing is left to take. While a message's envelope goes to the
 * mail server, the outcome of the former and the mark of this one go to the database; the message itself waits for the mark.
 */
export async function runLane(options: LaneOptions): Promise<LaneEnd> {
  const { bulk, feed, ledger, pace } = options;
  let line: BulkConnection | null = null;
  let former: { delivery: Claimed; outcome: Outcome } | null = null;

  const settle = async () => {
    if (!former) return;
    const { delivery, outcome } = former;
    former = null;
    await ledger.turn(outcome, null);
    feed.settled(delivery);
  };

  try {
    for (;;) {
      if (pace) {
        await settle();
        await pace();
      }
      const delivery = feed.take();
      if (!delivery) {
        await settle();
        if (await feed.more()) continue;
        return 'done';
      }
      if (!line?.isOpen()) {
        await settle();
        line = await bulk.connect().catch(() => null);
        if (!line) {
          feed.giveBack(delivery);
          return 'away';
        }
      }
      const before: typeof former = former;
      former = null;
      const leave = ledger.turn(before?.outcome ?? null, delivery);
      const outcome = await attempt(options, line, delivery, leave);
      if (before) feed.settled(before.delivery);
      if (outcome) former = { delivery, outcome };
    }
  } finally {
    line?.close();
  }
}

/** Null: there is nothing to write, because the message did not leave and never will from here. */
async function attempt(
  { feed, clock, address, onUnknown, onStopped }: LaneOptions,
  line: BulkConnection,
  delivery: Claimed,
  leave: Promise<Leave>,
): Promise<Outcome | null> {
  const mayLeave = leave.then((answer) => answer === 'ATTEMPTING');
  mayLeave.catch(() => {});
  const result = await line.send(address(delivery), mayLeave).catch((error: Error) => error);
  switch (await leave) {
    case 'SKIPPED':
      feed.settled(delivery);
      return null;
    case 'LOST':
      feed.drop(delivery);
      return null;
    case 'STOPPED':
      onStopped();
      return null;
  }
  if (result === undefined) return sent(delivery);
  if (!(result instanceof MailRefused)) throw result;
  return refused(delivery, result, delivery.attempts + 1, onUnknown, clock.seconds());
}
