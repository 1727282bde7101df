import nodemailer from 'nodemailer';
import { createSign, dkimOptions } from './dkim.ts';
import { headerText, senderName } from './header-text.ts';
import { prepareMessage } from './mime.ts';
import type { BulkMail, BulkRecipient, Mail, Mailer, OwnSender } from './port.ts';
import { refusalOf } from './refusal.ts';
import { senderOf } from './sender.ts';
import { openSmtpConnection } from './smtp-connection.ts';
import { readSmtpUrl } from './smtp-url.ts';

export const SMTP_CONNECTIONS = 5;

const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

type SmtpOptions = {
  /** The sender address of a business. Null if it has none. */
  findOwn?: (businessId: string) => Promise<OwnSender | null>;
  /** Where mail servers report bounces of an email. By default the address in MAIL_FROM. */
  bounceAddress?: ((businessId: string, to: string) => string | undefined) | undefined;
};

/** Pooled SMTP: connections stay open between emails. */
export function smtpMailer(url: string, from: string, { findOwn, bounceAddress }: SmtpOptions = {}): Mailer {
  const server = readSmtpUrl(url);
  const transport = nodemailer.createTransport({
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    maxMessages: 1000,
    ...SMTP_TIMEOUTS,
    ...server,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  const sender = senderOf(from);
  const ownOf = async ({ businessId }: { businessId?: string | undefined }) =>
    (businessId && (await findOwn?.(businessId))) || null;
  const envelopeOf = (businessId: string | undefined, to: string) =>
    (businessId && bounceAddress?.(businessId, to)) || sender.address;

  async function composerOf(mail: BulkMail): Promise<(recipient: BulkRecipient) => Promise<Buffer>> {
    const own = await ownOf(mail);
    const compose = prepareMessage(mail, { ...sender, ...(own && { address: own.address }) });
    const sign = own && createSign(own);
    return async (recipient) => (sign ? sign(compose(recipient)) : compose(recipient));
  }

  return {
    async send(mail: Mail) {
      const own = await ownOf(mail);
      try {
        await transport.sendMail({
          from: { name: senderName(mail.fromName ?? sender.name), address: own?.address ?? sender.address },
          to: { name: '', address: mail.to },
          // As an object, because a string is parsed and could name more recipients.
          envelope: {
            from: envelopeOf(mail.businessId, mail.to),
            to: [{ name: '', address: mail.to }] as unknown as string[],
          },
          subject: headerText(mail.subject),
          text: mail.text,
          html: mail.html,
          replyTo: mail.replyTo,
          messageId: mail.messageId,
          headers: mail.headers,
          ...(own && { dkim: dkimOptions(own) }),
        });
      } catch (error) {
        throw refusalOf(error as Error);
      }
    },
    bulk(versions) {
      return {
        maxConnections: SMTP_CONNECTIONS,
        async connect() {
          const composers = await Promise.all(versions.map(composerOf));
          return openSmtpConnection({
            server,
            timeouts: SMTP_TIMEOUTS,
            from: ({ to, version = 0 }) => envelopeOf(versions[version]!.businessId, to),
            compose: (recipient) => composers[recipient.version ?? 0]!(recipient),
          });
        },
      };
    },
    async close() {
      transport.close();
    },
  };
}
