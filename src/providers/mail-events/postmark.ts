/** Postmark webhooks are not signed. The URL contains a user name and a password, which Postmark sends as basic authentication. */
import { isEqualSecret } from '../../shared/security/compare.ts';
import { headerOf, parseReport, record, secondsOf, text } from './json.ts';
import { type MailEvent, type ReadReport, ReportRefused } from './port.ts';

export const readPostmark: ReadReport = async (report, password) => {
  const [, credentials = ''] = /^Basic (\S+)$/i.exec(headerOf(report, 'authorization')) ?? [];
  const sent = Buffer.from(credentials, 'base64').toString('utf8');
  if (!isEqualSecret(sent.slice(sent.indexOf(':') + 1), password)) throw new ReportRefused('The password is wrong.');
  const event = record(parseReport(report.body));
  const kind = kindOf(text(event.RecordType), text(event.Type));
  if (!kind) return [];
  const at = text(event.BouncedAt) || text(event.DeliveredAt);
  return [
    {
      id: `${text(event.RecordType)}/${text(event.ID) || text(event.MessageID)}/${at}`,
      kind,
      email: text(event.Email) || text(event.Recipient),
      atSeconds: secondsOf(at),
      detail: text(event.Description) || text(event.Details),
    },
  ];
};

/** The types of bounces that no retry can fix. */
const HARD = new Set(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated']);
const SOFT = new Set(['SoftBounce', 'Transient', 'DnsError', 'Undeliverable', 'Blocked']);

function kindOf(record: string, type: string): MailEvent['kind'] | null {
  if (record === 'SpamComplaint' || type === 'SpamComplaint') return 'COMPLAINT';
  if (record === 'Delivery') return 'DELIVERED';
  if (record !== 'Bounce') return null;
  if (HARD.has(type)) return 'HARD_BOUNCE';
  return SOFT.has(type) ? 'SOFT_BOUNCE' : null;
}
