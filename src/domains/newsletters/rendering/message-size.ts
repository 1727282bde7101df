import type { BulkMail, Template } from '../../../providers/mail/port.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { MAX_NAME } from '../subscriptions/subscriber-name.ts';

const MAX_MESSAGE_BYTES = 1_000_000;

/** Headers and separators. */
const FRAME_BYTES = 4000;

/** The longest that variables become: each character of such a name takes twelve in the message. */
const LONGEST: Record<string, string> = {
  'subscriber.name': '\u{1f600}'.repeat(MAX_NAME),
  'subscriber.email': 'a'.repeat(254),
  unsubscribeUrl: 'a'.repeat(300),
};

/** Whether the message, as it travels, could be too large for a subscriber. Counts instead of encoding, which takes much longer. */
export const isTooLarge = ({ subject, text, html }: BulkMail) =>
  FRAME_BYTES + encodedBytes(subject) + encodedBytes(text) + encodedBytes(html) > MAX_MESSAGE_BYTES;

/** No more than this in quoted-printable, each part by itself. */
function encodedBytes(template: Template): number {
  let bytes = 0;
  const counted = new Map<string, number>();
  for (const part of template) {
    if (typeof part === 'string') bytes += textBytes(part);
    else {
      const known = counted.get(part.variable) ?? textBytes(LONGEST[part.variable] ?? '');
      counted.set(part.variable, known);
      bytes += known;
    }
  }
  return bytes;
}

/** Every byte that is not printable takes three, a line end two, and a break of a long line three after 72 at the latest. */
function textBytes(text: string): number {
  const source = Buffer.from(text);
  let bytes = 3;
  for (let i = 0; i < source.length; i++) {
    const byte = source[i]!;
    bytes += byte >= 32 && byte < 127 && byte !== 61 ? 1 : byte === 10 ? 2 : 3;
  }
  return Math.ceil((bytes * 75) / 72);
}

/** Each of these gets a style when it is rendered, which has more characters than this. */
const STYLED = /\n{2,}|<(?:p|ul|ol|h[1-3]|blockquote|pre)\b/g;
const STYLE_CHARACTERS = 70;

/** Whether a text is sure to become too large, told before the work of rendering it. */
export function isTooHeavy(text: string): boolean {
  let characters = text.length;
  for (const _ of text.matchAll(STYLED)) characters += STYLE_CHARACTERS;
  return characters > MAX_MESSAGE_BYTES;
}

export const tooLarge = (field: string): FieldError => ({
  field,
  error: 'TOO_LONG',
  message: 'The mail would be larger than 1 MB. Shorten its text.',
});
