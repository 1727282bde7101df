import { randomUUID } from 'node:crypto';
import { encode, wrap } from 'libqp';
// An entry that nodemailer exports by name. Not libmime: its encodeWord loses characters outside of the BMP between two words.
import { encodeWord, foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { escapeHtml } from '../../shared/escape.ts';
import { headerText, senderName } from './header-text.ts';
import { type BulkMail, type BulkRecipient, fill, type Template } from './port.ts';
import type { Sender } from './sender.ts';

/** A message in the form it travels in. */
export type Compose = (recipient: BulkRecipient) => Buffer;

/**
 * Prepares a message for many recipients: everything they share is encoded once. Quoted-printable lets a line be broken
 * anywhere, so the fixed parts and the values between them are encoded each by itself, and a recipient costs no more than
 * encoding a few short values and one copy.
 */
export function prepareMessage(mail: BulkMail, sender: Sender): Compose {
  const boundary = `souk-${randomUUID()}`;
  const head = [
    header('From', mailbox({ ...sender, name: mail.fromName ?? sender.name })),
    ...(mail.replyTo ? [header('Reply-To', `<${headerText(mail.replyTo)}>`)] : []),
    'MIME-Version: 1.0\r\n',
    `Content-Type: multipart/alternative; boundary="${boundary}"\r\n`,
  ].join('');
  const subject = headerWriter('Subject', mail.subject, encodeText);
  const headers = Object.entries(mail.headers).map(([name, template]) => headerWriter(name, template, headerText));
  const text = bodyWriter(mail.text, (value) => value);
  const html = bodyWriter(mail.html, escapeHtml);
  const part = (type: string) =>
    `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
  const beforeText = `\r\n${part('text/plain')}`;
  const beforeHtml = `\r\n${part('text/html')}`;
  const end = `\r\n--${boundary}--\r\n`;

  return ({ to, messageId, values }) => {
    const value = (variable: string) => values[variable] ?? '';
    let message = `${head}Date: ${date()}\r\nTo: <${headerText(to)}>\r\nMessage-ID: <${messageId}>\r\n`;
    message += subject(value);
    for (const write of headers) message += write(value);
    message += beforeText + text(value) + beforeHtml + html(value) + end;
    return Buffer.from(message, 'latin1');
  };
}

/** `Ada <ada@example.com>` for a header, whatever is in the name. */
export const mailbox = ({ name, address }: Sender) =>
  senderName(name) ? `${phrase(name)} <${address}>` : `<${address}>`;

/** A name in front of an address or a list id. */
export function phrase(name: string): string {
  const text = senderName(name);
  return isPlain(text) ? quoteString(text) : encodeWord(text, 'B', 52);
}

type Write = (value: (variable: string) => string) => string;

function headerWriter(name: string, template: Template, encodeValue: (text: string) => string): Write {
  const make: Write = (value) => header(name, encodeValue(fill(template, value)));
  if (template.some((part) => typeof part !== 'string')) return make;
  const fixed = make(() => '');
  return () => fixed;
}

function bodyWriter(template: Template, prepare: (value: string) => string): Write {
  const parts = template.map((part) => (typeof part === 'string' ? quotedPrintable(part) : part));
  return (value) => {
    let body = '';
    for (const part of parts) {
      if (body !== '') body += '=\r\n';
      body += typeof part === 'string' ? part : quotedPrintable(prepare(value(part.variable)));
    }
    return body;
  };
}

const quotedPrintable = (text: string) => wrap(encode(text.replaceAll(/\r\n?|\n/g, '\r\n')), 76);

const header = (name: string, value: string) => `${foldLines(`${name}: ${value}`, 76)}\r\n`;

/** Text of a header; what could be taken for an encoded word is encoded itself. */
function encodeText(text: string): string {
  const line = headerText(text);
  return isPlain(line) ? line : encodeWord(line, 'B', 52);
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text) && !text.includes('=?');

const date = () => new Date().toUTCString().replace('GMT', '+0000');
