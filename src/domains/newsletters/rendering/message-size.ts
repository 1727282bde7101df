import type { BulkMail } from '../../../providers/mail/port.ts';
import type { FieldError } from '../../../shared/errors.ts';
import type { Template } from '../../../shared/mail/template.ts';
import { MAX_NAME } from '../subscriptions/subscriber-name.ts';

/** The maximum length of a subject in an experiment. */
export const MAX_SUBJECT = 200;

const MAX_MESSAGE_BYTES = 1_000_000;

/** Headers and separators. */
const FRAME_BYTES = 4000;

/** The longest values of variables. Each emoji in a name takes twelve bytes in the message. */
const LONGEST: Record<string, string> = {
  'subscriber.name': '\u{1f600}'.repeat(MAX_NAME),
  'subscriber.email': 'a'.repeat(254),
  unsubscribeUrl: 'a'.repeat(300),
  viewUrl: 'a'.repeat(300),
  referralUrl: 'a'.repeat(300),
  subject: '\u{1f600}'.repeat(MAX_SUBJECT),
  openUrl: 'a'.repeat(300),
};

const longestOf = (variable: string) => LONGEST[variable.startsWith('link.') ? 'openUrl' : variable] ?? '';

/** Whether the encoded message could be too large for any subscriber. Counting is much faster than encoding. */
export const isTooLarge = ({ subject, text, html }: BulkMail) =>
  FRAME_BYTES + encodedBytes(subject) + encodedBytes(text) + encodedBytes(html) > MAX_MESSAGE_BYTES;

/** The maximum size in quoted-printable. */
function encodedBytes(template: Template): number {
  let bytes = 0;
  const counted = new Map<string, number>();
  for (const part of template) {
    if (typeof part === 'string') bytes += textBytes(part);
    else {
      const known = counted.get(part.variable) ?? textBytes(longestOf(part.variable));
      counted.set(part.variable, known);
      bytes += known;
    }
  }
  return bytes;
}

/** Non-printable bytes are encoded as three bytes and line breaks as two. A soft line break adds three after at most 72. */
function textBytes(text: string): number {
  const source = Buffer.from(text);
  let bytes = 3;
  for (let i = 0; i < source.length; i++) {
    const byte = source[i]!;
    bytes += byte >= 32 && byte < 127 && byte !== 61 ? 1 : byte === 10 ? 2 : 3;
  }
  return Math.ceil((bytes * 75) / 72);
}

/** Rendering adds a style attribute longer than `STYLE_CHARACTERS` to each match. */
const STYLED = /\n{2,}|<(?:p|ul|ol|h[1-3]|blockquote|pre)\b/g;
const STYLE_CHARACTERS = 70;

/** Whether the text will certainly be too large, without the cost of rendering it. */
export function isCertainlyTooLarge(text: string): boolean {
  let characters = text.length;
  for (const _ of text.matchAll(STYLED)) characters += STYLE_CHARACTERS;
  return characters > MAX_MESSAGE_BYTES;
}

export const tooLarge = (field: string): FieldError => ({
  field,
  error: 'TOO_LONG',
  message: 'The email must be at most 1 MB. Shorten its text.',
});
