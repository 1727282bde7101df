/** Mailgun webhooks: an HMAC of timestamp and token with the webhook signing key. */
import { createHmac } from 'node:crypto';
import { isEqualSecret } from '../../shared/security/compare.ts';
import { isEmail } from '../../shared/text/email.ts';
import { parseReport, record, text } from './json.ts';
import { type MailEvent, type ReadReport, ReportRefused } from './port.ts';

/** Mailgun retries for 8 hours. */
const MAX_AGE_SECONDS = 86_400;

export const readMailgun: ReadReport = async ({ body }, signingKey, nowSeconds) => {
  const report = record(parseReport(body));
  const signature = record(report.signature);
  const [timestamp, token] = [text(signature.timestamp), text(signature.token)];
  const expected = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest('hex');
  if (!token || !isEqualSecret(text(signature.signature), expected)) {
    throw new ReportRefused('The signature is invalid.');
  }
  // Nothing separates them in the signature: a replay could move the first digits of the token to the timestamp and pass as a new token.
  const isRecent = /^\d{10}$/.test(timestamp) && Math.abs(nowSeconds - Number(timestamp)) <= MAX_AGE_SECONDS;
  if (!isRecent) throw new ReportRefused('The signature is too old.');
  const event = record(report['event-data']);
  const email = text(event.recipient);
  const status = record(event['delivery-status']);
  return [
    {
      // Not the ID of the event, which is not signed: a replay with another ID would count as a new event. For the same reason, the token
      // of an event without effect must be recorded, too.
      id: token,
      kind: isEmail(email) ? kindOf(text(event.event), text(event.severity)) : 'OTHER',
      email,
      atSeconds: Number(timestamp),
      detail: text(status.message) || text(status.description) || text(event.reason),
    },
  ];
};

function kindOf(event: string, severity: string): MailEvent['kind'] {
  if (event === 'failed') return severity === 'permanent' ? 'HARD_BOUNCE' : 'SOFT_BOUNCE';
  if (event === 'complained') return 'COMPLAINT';
  return event === 'delivered' ? 'DELIVERED' : 'OTHER';
}
