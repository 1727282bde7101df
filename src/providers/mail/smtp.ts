import nodemailer from 'nodemailer';
import { headerText, senderName } from './header-text.ts';
import { prepareMessage } from './mime.ts';
import type { Mail, Mailer } from './port.ts';
import { refusalOf } from './refusal.ts';
import { senderOf } from './sender.ts';
import { openSmtpConnection } from './smtp-connection.ts';
import { readSmtpUrl } from './smtp-url.ts';

export const SMTP_CONNECTIONS = 5;

const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Pooled SMTP: connections stay open between emails. */
export function smtpMailer(url: string, from: string): Mailer {
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
  return {
    async send(mail: Mail) {
      try {
        await transport.sendMail({
          from: { name: senderName(mail.fromName ?? sender.name), address: sender.address },
          to: { name: '', address: mail.to },
          subject: headerText(mail.subject),
          text: mail.text,
          html: mail.html,
          replyTo: mail.replyTo,
          messageId: mail.messageId,
          headers: mail.headers,
        });
      } catch (error) {
        throw refusalOf(error as Error);
      }
    },
    bulk(mail) {
      const compose = prepareMessage(mail, sender);
      return {
        maxConnections: SMTP_CONNECTIONS,
        connect: () => openSmtpConnection({ server, timeouts: SMTP_TIMEOUTS, from: sender.address, compose }),
      };
    },
    async close() {
      transport.close();
    },
  };
}
