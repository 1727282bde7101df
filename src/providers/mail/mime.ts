import { randomUUID } from 'node:crypto';
import { encode, wrap } from 'libqp';
// A public export of nodemailer. Not libmime: its encodeWord corrupts characters outside the BMP between two words.
import { encodeWord, foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { fill, type Template } from '../../shared/mail/template.ts';
import { escapeHtml } from '../../shared/text/escape.ts';
import { headerText, senderName } from './header-text.ts';
import type { BulkMail, BulkRecipient } from './port.ts';
import type { Sender } from './sender.ts';

/** Creates the MIME message for one recipient. */
type Compose = (recipient: BulkRecipient) => Buffer;

/**
 * Prepares a message for many recipients: the shared parts are encoded once. Quoted-printable allows line breaks
 * anywhere, so fixed parts and values are encoded separately, and each recipient only costs the encoding of a few
 * short values and one copy.
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

/** Formats `Ada <ada@example.com>` for a header. The name can contain any characters. */
const mailbox = ({ name, address }: Sender) => (senderName(name) ? `${phrase(name)} <${address}>` : `<${address}>`);

/** A display name for an address or a list ID. */
function phrase(name: string): string {
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

/** Encodes header text, including text that looks like an encoded word. */
function encodeText(text: string): string {
  const line = headerText(text);
  return isPlain(line) ? line : encodeWord(line, 'B', 52);
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text) && !text.includes('=?');

const date = () => new Date().toUTCString().replace('GMT', '+0000');
