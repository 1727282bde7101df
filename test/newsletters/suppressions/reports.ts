/** Reports as the email providers send them, signed with keys generated here. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';

export type Report = { body: string; headers: Record<string, string> };
type Kind = 'HARD_BOUNCE' | 'SOFT_BOUNCE' | 'COMPLAINT' | 'DELIVERED';
type Event = { id: string; kind: Kind; email: string; atSeconds: number };

const json = { 'content-type': 'application/json' };

/** See documentation.mailgun.com, "Securing webhooks" and "Event structure". */
export function mailgunReport({ id, kind, email, atSeconds }: Event, key: string): Report {
  const event = { HARD_BOUNCE: 'failed', SOFT_BOUNCE: 'failed', COMPLAINT: 'complained', DELIVERED: 'delivered' }[kind];
  const timestamp = String(atSeconds);
  const signature = {
    timestamp,
    token: id,
    signature: createHmac('sha256', key)
      .update(timestamp + id)
      .digest('hex'),
  };
  const data = {
    event,
    ...(event === 'failed' && { severity: kind === 'HARD_BOUNCE' ? 'permanent' : 'temporary' }),
    recipient: email,
    timestamp: atSeconds,
    'delivery-status': { code: 550, message: '5.1.1 No such user' },
  };
  return { headers: json, body: JSON.stringify({ signature, 'event-data': data }) };
}

/** See postmarkapp.com/developer/webhooks. */
export function postmarkReport({ id, kind, email, atSeconds }: Event, password: string): Report {
  const time = new Date(atSeconds * 1000).toISOString();
  const body =
    kind === 'DELIVERED'
      ? { RecordType: 'Delivery', MessageID: id, Recipient: email, DeliveredAt: time }
      : {
          RecordType: kind === 'COMPLAINT' ? 'SpamComplaint' : 'Bounce',
          Type: { HARD_BOUNCE: 'HardBounce', SOFT_BOUNCE: 'SoftBounce', COMPLAINT: 'SpamComplaint' }[kind],
          ID: id,
          Email: email,
          BouncedAt: time,
          Description: 'The server was unable to deliver your message',
        };
  const authorization = `Basic ${Buffer.from(`souk:${password}`).toString('base64')}`;
  return { headers: { ...json, authorization }, body: JSON.stringify(body) };
}

const sendgrid = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const SENDGRID_KEY = sendgrid.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

/** See docs.sendgrid.com, "Getting started with the event webhook security features". */
export function sendgridReport(...events: [Event, ...Event[]]): Report {
  const names = { HARD_BOUNCE: 'bounce', SOFT_BOUNCE: 'deferred', COMPLAINT: 'spamreport', DELIVERED: 'delivered' };
  const body = JSON.stringify(
    events.map(({ id, kind, email, atSeconds }) => ({
      email,
      event: names[kind],
      timestamp: atSeconds,
      sg_event_id: id,
      reason: '550 unknown',
    })),
  );
  const timestamp = String(events[0].atSeconds);
  const signature = sign('sha256', Buffer.from(timestamp + body), sendgrid.privateKey).toString('base64');
  const header = 'x-twilio-email-event-webhook';
  return { headers: { ...json, [`${header}-signature`]: signature, [`${header}-timestamp`]: timestamp }, body };
}

const sns = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const SNS_KEY = sns.publicKey.export({ format: 'pem', type: 'spki' }).toString();
export const SNS_URL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem';

type SnsOptions = { topic: string; certificate?: string };

/** See docs.aws.amazon.com/sns, "Verifying the signatures of Amazon SNS messages", and the SES notification contents. */
export function sesReport({ id, kind, email, atSeconds }: Event, { topic, certificate = SNS_URL }: SnsOptions): Report {
  const timestamp = new Date(atSeconds * 1000).toISOString();
  const notification = {
    HARD_BOUNCE: bounce('Permanent'),
    SOFT_BOUNCE: bounce('Transient'),
    COMPLAINT: {
      notificationType: 'Complaint',
      complaint: { complainedRecipients: [{ emailAddress: email }], complaintFeedbackType: 'abuse', timestamp },
    },
    DELIVERED: { notificationType: 'Delivery', delivery: { recipients: [email], timestamp } },
  }[kind];
  function bounce(bounceType: string) {
    const bouncedRecipients = [{ emailAddress: email, diagnosticCode: 'smtp; 550 5.1.1 user unknown' }];
    return { notificationType: 'Bounce', bounce: { bounceType, bouncedRecipients, timestamp } };
  }
  const message: Record<string, string> = {
    Message: JSON.stringify(notification),
    MessageId: id,
    Timestamp: timestamp,
    TopicArn: topic,
    Type: 'Notification',
  };
  const signed = Object.keys(message)
    .sort()
    .map((name) => `${name}\n${message[name]}\n`)
    .join('');
  const Signature = sign('sha256', Buffer.from(signed), sns.privateKey).toString('base64');
  const body = JSON.stringify({ ...message, SignatureVersion: '2', Signature, SigningCertURL: certificate });
  return { headers: { 'content-type': 'text/plain; charset=UTF-8' }, body };
}
