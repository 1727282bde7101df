import type { MailRefused } from '../../../../providers/mail/port.ts';
import type { OnUnknown } from '../send-queries.ts';
import type { Attempt, Outcome } from './mark-queries.ts';

/** Seconds before the second, third, … attempt. About eight hours in total, enough for greylisting or a full mailbox. */
const RETRY_DELAYS = [15, 120, 600, 1800, 3600, 7200, 14_400];

const MAX_ERROR = 500;

export const sentOutcome = (attempt: Attempt): Outcome => ({
  attempt,
  status: 'SENT',
  error: null,
  dueAt: 0,
  isBounce: false,
});

/** The outcome of a message that the mail server refused. */
export function refusedOutcome(
  attempt: Attempt,
  refusal: MailRefused,
  onUnknown: OnUnknown,
  nowSeconds: number,
): Outcome {
  const error = refusal.message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_ERROR);
  const delay = RETRY_DELAYS[attempt.number - 1];
  const isHeld = refusal.inDoubt && onUnknown === 'HOLD';
  if (refusal.permanent || (delay === undefined && !isHeld)) {
    return { attempt, status: 'FAILED', error, dueAt: 0, isBounce: refusal.hardBounce };
  }
  const status = refusal.inDoubt ? 'UNKNOWN' : 'PENDING';
  return { attempt, status, error, dueAt: isHeld ? 0 : nowSeconds + delay!, isBounce: false };
}
