/** Hints about an email: content that triggers spam filters, or that readers may miss. Pure. */
import { attributeOf } from '../../../shared/mail/html-tree.ts';
import { plainText } from '../../../shared/mail/plain-text.ts';
import { type Tag, tagsOf } from '../../../shared/text/tags.ts';

export const HINTS = [
  'SUBJECT_CAPITALS',
  'SUBJECT_PUNCTUATION',
  'SUBJECT_LONG',
  'FEW_WORDS',
  'NO_ALT',
  'SHORTENED_LINK',
  'DISGUISED_LINK',
  'NO_ADDRESS',
  'TOO_LARGE',
] as const;
export type Hint = {
  code: (typeof HINTS)[number];
  /** The value that the hint refers to, such as a host name or a number. */
  detail: string;
};

type Email = { subject: string; html: string; hasAddress: boolean };

const LONG_SUBJECT = 90;
const MIN_LETTERS = 6;
const MIN_WORDS = 20;
/** Gmail clips larger emails, which hides the unsubscribe link. */
const MAX_BYTES = 102 * 1024;
const SHORTENERS =
  /^(bit\.ly|t\.co|goo\.gl|tinyurl\.com|ow\.ly|is\.gd|buff\.ly|rebrand\.ly|cutt\.ly|rb\.gy|lnkd\.in|t\.ly)$/;
/** An image that readers can't see, such as the one that reports an open. */
const PIXEL = /\swidth="1" height="1"/;

export function findHints({ subject, html, hasAddress }: Email): Hint[] {
  const content = html.slice(html.indexOf('>', Math.max(html.indexOf('<body'), 0)) + 1);
  const tags = [...tagsOf(content)];
  const images = tags.filter(({ name, attributes }) => name === 'img' && !PIXEL.test(attributes));
  const links = linksIn(content, tags).map(({ href, label }) => ({
    host: hostOf(href),
    shown: hostOf(plainText(label).trim()),
  }));
  const withoutAlt = images.filter((tag) => !attributeOf(tag, 'alt')?.trim()).length;
  const words = plainText(content)
    .split(/\s+/)
    .filter((word) => /\p{L}{2}/u.test(word) && !word.includes('://'));
  const bytes = Buffer.byteLength(html);
  const hints: (Hint | false)[] = [
    isMostlyCapitals(subject) && { code: 'SUBJECT_CAPITALS', detail: '' },
    /[!?]{2}|!.*!|[$€£]{2}/.test(subject) && { code: 'SUBJECT_PUNCTUATION', detail: '' },
    subject.length > LONG_SUBJECT && { code: 'SUBJECT_LONG', detail: String(subject.length) },
    images.length > 0 && words.length < MIN_WORDS && { code: 'FEW_WORDS', detail: '' },
    withoutAlt > 0 && { code: 'NO_ALT', detail: String(withoutAlt) },
    ...unique(links.flatMap(({ host }) => (SHORTENERS.test(host) ? [host] : []))).map(
      (detail) => ({ code: 'SHORTENED_LINK', detail }) as const,
    ),
    ...unique(links.flatMap(({ host, shown }) => (shown && shown !== host ? [shown] : []))).map(
      (detail) => ({ code: 'DISGUISED_LINK', detail }) as const,
    ),
    !hasAddress && { code: 'NO_ADDRESS', detail: '' },
    bytes > MAX_BYTES && { code: 'TOO_LARGE', detail: String(Math.ceil(bytes / 1024)) },
  ];
  return hints.filter((hint) => hint !== false);
}

/** Web links, and their text without markup. */
function linksIn(content: string, tags: readonly Tag[]): { href: string; label: string }[] {
  const links: { href: string; label: string }[] = [];
  let open: (typeof links)[number] | null = null;
  let at = 0;
  for (const tag of tags) {
    if (open) open.label += content.slice(at, tag.start);
    at = tag.end;
    if (tag.name !== 'a') continue;
    if (tag.isClosing) {
      if (open) links.push(open);
      open = null;
    } else if (!open) {
      const href = attributeOf(tag, 'href') ?? '';
      if (/^https?:/.test(href)) open = { href, label: '' };
    }
  }
  return links;
}

/** Mostly capital letters, in a script that has them. */
function isMostlyCapitals(text: string): boolean {
  const letters = text.match(/\p{Lu}|\p{Ll}/gu) ?? [];
  const capitals = letters.filter((letter) => /\p{Lu}/u.test(letter)).length;
  return letters.length >= MIN_LETTERS && capitals / letters.length > 0.7;
}

/** Empty if the text is not a URL. */
function hostOf(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : /^www\./i.test(text) ? `https://${text}` : '';
  return (URL.parse(url)?.hostname ?? '').replace(/^www\./, '');
}

const unique = (texts: readonly string[]) => [...new Set(texts)].slice(0, 5);
