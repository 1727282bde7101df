/**
 * Amazon SES through SNS. Anyone with an AWS account can have SNS sign a message, so the topic must be the one in the settings. The
 * signature is checked with the certificate at `SigningCertURL`, which must be on an SNS host.
 */
import { verify } from 'node:crypto';
import { type Json, list, parseReport, record, secondsOf, text } from './json.ts';
import { type MailEvent, type ReadReport, ReportRefused } from './port.ts';

/** Downloads text from an SNS URL: a certificate, or the page that confirms a subscription. */
type FetchText = (url: string) => Promise<string>;

const HOST = /^https:\/\/sns\.[a-z0-9-]{3,}\.amazonaws\.com(\.cn)?\//;
/** Other paths of the host belong to its API, whose errors can echo the request, including a key that an attacker put there. */
const CERTIFICATE = new RegExp(`${HOST.source}SimpleNotificationService-[\\w-]+\\.pem$`);
const MAX_CERTIFICATES = 20;

export function createSesReader(fetchText: FetchText): ReadReport {
  const certificates = new Map<string, Promise<string>>();

  function certificateAt(url: string): Promise<string> {
    let certificate = certificates.get(url);
    if (!certificate) {
      if (certificates.size >= MAX_CERTIFICATES) certificates.clear();
      certificate = fetchText(url);
      certificate.catch(() => certificates.delete(url));
      certificates.set(url, certificate);
    }
    return certificate;
  }

  return async ({ body }, topicArn) => {
    const message = record(parseReport(body));
    const certificateUrl = text(message.SigningCertURL);
    if (text(message.TopicArn) !== topicArn) throw new ReportRefused("The topic doesn't match the settings.");
    if (!CERTIFICATE.test(certificateUrl)) throw new ReportRefused('The certificate is not from Amazon SNS.');
    if (!isSigned(message, await certificateAt(certificateUrl))) throw new ReportRefused('The signature is invalid.');
    if (message.Type === 'SubscriptionConfirmation') await confirm(text(message.SubscribeURL), fetchText);
    return message.Type === 'Notification' ? eventsOf(message) : [];
  };
}

const SIGNED_FIELDS = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

function isSigned(message: Json, certificate: string): boolean {
  const fields = SIGNED_FIELDS[message.Type as keyof typeof SIGNED_FIELDS];
  if (!fields) return false;
  const signed = fields.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${text(message[name])}\n`]));
  const algorithm = message.SignatureVersion === '2' ? 'sha256' : 'sha1';
  try {
    return verify(algorithm, Buffer.from(signed.join('')), certificate, Buffer.from(text(message.Signature), 'base64'));
  } catch {
    return false;
  }
}

async function confirm(url: string, fetchText: FetchText): Promise<void> {
  if (!HOST.test(url)) throw new ReportRefused('The confirmation is not from Amazon SNS.');
  await fetchText(url);
}

/** The message is the JSON of a notification or of an event of a configuration set. */
function eventsOf({ MessageId, Message }: Json): MailEvent[] {
  const notification = record(parseReport(Buffer.from(text(Message))));
  const type = text(notification.notificationType) || text(notification.eventType);
  const bounce = record(notification.bounce);
  const report = { Bounce: bounce, Complaint: record(notification.complaint), Delivery: record(notification.delivery) }[
    type
  ];
  const kind = kindOf(type, text(bounce.bounceType));
  if (!report || !kind) return [];
  const recipients = list(report.bouncedRecipients ?? report.complainedRecipients ?? report.recipients);
  return recipients.map((recipient, i) => ({
    id: `${text(MessageId)}/${i}`,
    kind,
    email: text(recipient) || text(record(recipient).emailAddress),
    atSeconds: secondsOf(report.timestamp),
    detail: text(record(recipient).diagnosticCode) || text(report.complaintFeedbackType),
  }));
}

function kindOf(type: string, bounceType: string): MailEvent['kind'] | null {
  if (type === 'Bounce') return bounceType === 'Permanent' ? 'HARD_BOUNCE' : 'SOFT_BOUNCE';
  if (type === 'Complaint') return 'COMPLAINT';
  return type === 'Delivery' ? 'DELIVERED' : null;
}
