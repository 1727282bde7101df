/** Reads the reports that mail servers send by email: bounces (RFC 3464) and complaints (RFC 5965). */
import PostalMime from 'postal-mime';
import type { MailEvent } from './port.ts';

type BounceReport = {
  kind: Exclude<MailEvent['kind'], 'DELIVERED'>;
  /** Addresses that the report may be about. Only one that matches the token is used. */
  recipients: string[];
  /** Envelope senders of the original message in the report. */
  senders: string[];
  detail: string;
};

const MAX_RECIPIENTS = 20;
const NESTING = 20;
/** About the message, the server or its policy, not about the address: counted like a temporary failure. */
const NOT_ABOUT_ADDRESS = /^5\.(2\.[23]|3\.\d+|4\.\d+|6\.\d+|7\.\d+)$/;

type Fields = ReadonlyMap<string, string>;

/** Null if the message is not a report, or nothing failed. */
export async function readBounceReport(raw: Buffer): Promise<BounceReport | null> {
  const options = {
    forceRfc822Attachments: true,
    maxNestingDepth: NESTING,
    attachmentEncoding: 'arraybuffer' as const,
  };
  const { attachments } = await PostalMime.parse(raw, options);
  const parts = attachments.map(({ mimeType, content }) => ({
    type: mimeType.toLowerCase(),
    text: typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1'),
  }));
  const find = (...types: string[]) => parts.find(({ type }) => types.includes(type))?.text;
  const original = fieldsOf(find('message/rfc822', 'text/rfc822-headers')?.split(/\r?\n\r?\n/, 1)[0] ?? '');
  const status = find('message/delivery-status');
  const feedback = find('message/feedback-report');
  const report = status !== undefined ? readStatus(status) : feedback !== undefined ? readFeedback(feedback) : null;
  if (!report) return null;
  return {
    ...report,
    recipients: addresses([...report.recipients, original.get('to')]),
    senders: addresses([...report.senders, original.get('return-path')]),
  };
}

type Read = Omit<BounceReport, 'recipients' | 'senders'> & Record<'recipients' | 'senders', (string | undefined)[]>;

/** A block of fields about the message, then one about each recipient. */
function readStatus(text: string): Read | null {
  const failed = text
    .split(/\r?\n\r?\n/)
    .map(fieldsOf)
    .filter((fields) => fields.get('action')?.toLowerCase() === 'failed');
  const code = /^[45]\.\d{1,3}\.\d{1,3}/.exec(failed[0]?.get('status') ?? '')?.[0];
  if (!code) return null;
  return {
    kind: code.startsWith('4') || NOT_ABOUT_ADDRESS.test(code) ? 'SOFT_BOUNCE' : 'HARD_BOUNCE',
    recipients: failed.flatMap((fields) => [fields.get('original-recipient'), fields.get('final-recipient')]),
    senders: [],
    detail: failed[0]!.get('diagnostic-code') ?? code,
  };
}

function readFeedback(text: string): Read | null {
  const fields = fieldsOf(text);
  const type = fields.get('feedback-type')?.toLowerCase() ?? '';
  if (type !== 'abuse' && type !== 'fraud') return null;
  return {
    kind: 'COMPLAINT',
    recipients: [fields.get('original-rcpt-to')],
    senders: [fields.get('original-mail-from')],
    detail: fields.get('user-agent') ?? type,
  };
}

/** Joins folded lines. If a field is repeated, the first one is used. */
function fieldsOf(text: string): Fields {
  const fields = new Map<string, string>();
  for (const line of text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim().toLowerCase();
    if (at > 0 && !fields.has(name)) fields.set(name, line.slice(at + 1).trim());
  }
  return fields;
}

/** From `rfc822; ada@example.com`, `<ada@example.com>` or `Ada <ada@example.com>`. */
const addresses = (texts: readonly (string | undefined)[]): string[] =>
  [
    ...new Set(
      texts.flatMap((text) =>
        (text ?? '')
          .slice(0, 2000)
          .split(/[\s<>;,"]/)
          .filter((part) => part.slice(1, -1).includes('@')),
      ),
    ),
  ].slice(0, MAX_RECIPIENTS);
