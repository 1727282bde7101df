/** Mailgun webhooks: an HMAC of timestamp and token with the webhook signing key. */
import { createHmac } from 'node:crypto';
import { isEqualSecret } from '../../shared/security/compare.ts';
import { parseReport, record, text } from './json.ts';
import { type MailEvent, type ReadReport, ReportRefused } from './port.ts';

export const readMailgun: ReadReport = async ({ body }, signingKey) => {
  const report = record(parseReport(body));
  const { timestamp, token, signature } = record(report.signature);
  const expected = createHmac('sha256', signingKey)
    .update(`${text(timestamp)}${text(token)}`)
    .digest('hex');
  if (!text(token) || !isEqualSecret(text(signature), expected)) throw new ReportRefused('The signature is invalid.');
  const event = record(report['event-data']);
  const kind = kindOf(text(event.event), text(event.severity));
  if (!kind) return [];
  const status = record(event['delivery-status']);
  return [
    {
      // Not the ID of the event, which is not signed: a replay with another ID would count as a new event.
      id: text(token),
      kind,
      email: text(event.recipient),
      atSeconds: Math.floor(Number(timestamp)) || 0,
      detail: text(status.message) || text(status.description) || text(event.reason),
    },
  ];
};

function kindOf(event: string, severity: string): MailEvent['kind'] | null {
  if (event === 'failed') return severity === 'permanent' ? 'HARD_BOUNCE' : 'SOFT_BOUNCE';
  if (event === 'complained') return 'COMPLAINT';
  return event === 'delivered' ? 'DELIVERED' : null;
}
