import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../shared/ids.ts';
import { fill } from '../shared/mail/template.ts';
import { escapeHtml } from '../shared/text/escape.ts';
import { headerText, senderName } from './mail/header-text.ts';
import { type BulkMail, type Mail, type Mailer, MailRefused } from './mail/port.ts';
import type { Sms, SmsSender } from './sms/port.ts';

export type OutboxMessage = { id: string; at: number } & (({ kind: 'mail' } & Mail) | ({ kind: 'sms' } & Sms));

const SHOWN = 200;

/** Without SMTP_URL or SMS_URL, messages are written to a folder, and the mailbox page displays them. */
export function createOutbox(folder: string) {
  async function keep(message: { kind: 'mail' } & Mail): Promise<void>;
  async function keep(message: { kind: 'sms' } & Sms): Promise<void>;
  async function keep(message: object): Promise<void> {
    const id = newId('mail');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${id}.json`);
    await writeFile(`${file}.part`, JSON.stringify({ id, at: Math.floor(Date.now() / 1000), ...message }), {
      mode: 0o600,
    });
    await rename(`${file}.part`, file);
  }

  const mailer: Mailer = {
    send: (mail) => keep({ kind: 'mail', ...mail, ...headersOf(mail) }),
    bulk: (versions) => ({
      maxConnections: 2,
      connect: async () => ({
        async send({ to, messageId, version = 0, values }, permission) {
          if (!(await permission)) throw new MailRefused('The message was withheld');
          await keep({ kind: 'mail', to, messageId, ...filled(versions[version]!, values) });
        },
        isOpen: () => true,
        close: () => {},
      }),
    }),
    close: async () => {},
  };
  const smsSender: SmsSender = { send: (sms) => keep({ kind: 'sms', ...sms }) };

  /** Newest first. */
  async function list(): Promise<OutboxMessage[]> {
    const names = await readdir(folder).catch(() => [] as string[]);
    const newest = names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse()
      .slice(0, SHOWN);
    return Promise.all(newest.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
  }

  async function find(id: string): Promise<OutboxMessage | null> {
    if (!/^mail_[a-z0-9]+$/.test(id)) return null;
    const text = await readFile(join(folder, `${id}.json`), 'utf8').catch(() => null);
    return text === null ? null : JSON.parse(text);
  }

  return { mailer, smsSender, list, find };
}

/** Sanitized as for a mail server. */
const headersOf = ({ subject, fromName }: { subject: string; fromName?: string | undefined }) => ({
  subject: headerText(subject),
  ...(fromName ? { fromName: senderName(fromName) } : {}),
});

function filled(mail: BulkMail, values: Readonly<Record<string, string>>): Omit<Mail, 'to'> {
  const value = (variable: string) => values[variable] ?? '';
  return {
    text: fill(mail.text, value),
    html: fill(mail.html, (variable) => escapeHtml(value(variable))),
    ...headersOf({ subject: fill(mail.subject, value), fromName: mail.fromName }),
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    headers: Object.fromEntries(Object.entries(mail.headers).map(([name, template]) => [name, fill(template, value)])),
  };
}

export type Outbox = ReturnType<typeof createOutbox>;
