/** The baseline: pooled nodemailer that sends messages one by one, with as many connections as we use. */
import nodemailer from 'nodemailer';
import { SMTP_CONNECTIONS } from '../src/providers/mail/smtp.ts';

type Order = { url: string; count: number; subject: string; html: string; text: string };

process.on('message', async ({ url, count, subject, html, text }: Order) => {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
  } as object);
  let next = 0;
  const sendRest = async () => {
    while (next < count) {
      const to = `user${++next}@example.com`;
      await transport.sendMail({ from: 'shop@example.com', to, subject, html, text });
    }
  };
  await Promise.all(Array.from({ length: SMTP_CONNECTIONS * 2 }, sendRest));
  transport.close();
  process.send?.('done');
});
process.on('disconnect', () => process.exit(0));
