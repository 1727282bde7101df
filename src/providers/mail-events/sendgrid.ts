/** SendGrid's signed event webhook: an ECDSA signature of timestamp and body, checked with the public key of the account. */
import { createPublicKey, verify } from 'node:crypto';
import { headerOf, list, parseReport, record, text } from './json.ts';
import { type MailEvent, type ReadReport, ReportRefused, type SignedReport } from './port.ts';

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';

export const readSendgrid: ReadReport = async (report, publicKey) => {
  if (!isSigned(report, publicKey)) throw new ReportRefused('The signature is invalid.');
  return list(parseReport(report.body)).flatMap((item) => {
    const event = record(item);
    const kind = kindOf(text(event.event), text(event.type));
    if (!kind) return [];
    const id = text(event.sg_event_id) || `${text(event.sg_message_id)}/${text(event.event)}`;
    return [
      { id, kind, email: text(event.email), atSeconds: Number(event.timestamp) || 0, detail: text(event.reason) },
    ];
  });
};

function isSigned(report: SignedReport, publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const signed = Buffer.concat([Buffer.from(headerOf(report, TIMESTAMP)), report.body]);
    return verify('sha256', signed, key, Buffer.from(headerOf(report, SIGNATURE), 'base64'));
  } catch {
    return false;
  }
}

/** A dropped message was never sent: the address is on SendGrid's own list. A `blocked` bounce is temporary. */
function kindOf(event: string, type: string): MailEvent['kind'] | null {
  if (event === 'bounce') return type === 'blocked' ? 'SOFT_BOUNCE' : 'HARD_BOUNCE';
  if (event === 'deferred') return 'SOFT_BOUNCE';
  if (event === 'spamreport') return 'COMPLAINT';
  return event === 'delivered' ? 'DELIVERED' : null;
}
