import nodemailer from 'nodemailer';
import { type Mail, type Mailer, MailRefused } from './port.ts';

export const SMTP_CONNECTIONS = 5;

/** Pooled SMTP: connections stay open between mails. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    maxMessages: 1000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  const sender = senderOf(from);
  return {
    async send(mail: Mail) {
      try {
        await transport.sendMail({
          from: { name: mail.fromName ?? sender.name, address: sender.address },
          to: { name: '', address: mail.to },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          replyTo: mail.replyTo,
          messageId: mail.messageId,
          headers: mail.headers,
        });
      } catch (error) {
        throw refusal(error as Error & { responseCode?: number; response?: string; command?: string });
      }
    },
    async close() {
      transport.close();
    },
  };
}

function senderOf(from: string): { name: string; address: string } {
  const match = /^(.*)<(.+)>$/.exec(from);
  return match ? { name: match[1]!.trim(), address: match[2]! } : { name: '', address: from };
}

function refusal(error: Error & { responseCode?: number; response?: string; command?: string }): MailRefused {
  const code = error.responseCode ?? 0;
  const permanent = code >= 500 && code < 600;
  const hardBounce = permanent && error.command === 'RCPT TO' && /\b5\.1\.\d\b|^55[01]/.test(error.response ?? '');
  return new MailRefused(error.message, { permanent, hardBounce });
}
