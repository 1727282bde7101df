/**
 * Converts HTML descriptions to text. Pure. Patterns end at the next tag, so that matching takes linear time. HTML that is stored as HTML
 * is sanitized on save.
 */
import { tagsOf } from '../../../shared/text/tags.ts';
import { firstCharacters } from '../../../shared/text/text.ts';

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  reg: '®',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  bull: '•',
  euro: '€',
  trade: '™',
  deg: '°',
  times: '×',
};

export const hasMarkup = (text: string) => /<[a-z!/][^<>]{0,2000}>/i.test(text);

export function htmlToText(html: string): string {
  if (!hasMarkup(html)) return /&[a-z#]/i.test(html) ? decode(html).trim() : html.trim();
  const text = withoutElements(withoutElements(html, 'script'), 'style')
    .replaceAll(/<(?:br|hr)\b[^<>]{0,2000}>/gi, '\n')
    .replaceAll(/<li\b[^<>]{0,2000}>/gi, '\n• ')
    .replaceAll(/<\/?(?:p|div|h[1-6]|ul|ol|table|tr|blockquote|section)\b[^<>]{0,2000}>/gi, '\n')
    .replaceAll(/<[a-z!/][^<>]{0,2000}>/gi, '');
  return decode(text)
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Removes elements with their content. An element that is never closed is kept. */
function withoutElements(html: string, removed: string): string {
  const kept: string[] = [];
  let at = 0;
  let open: number | null = null;
  for (const { name, isClosing, start, end } of tagsOf(html)) {
    if (name.toLowerCase() !== removed) continue;
    if (!isClosing) open ??= start;
    else if (open !== null) {
      kept.push(html.slice(at, open));
      at = end;
      open = null;
    }
  }
  return kept.join('') + html.slice(at);
}

const decode = (text: string) =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : '';
    },
  );

/** Cuts text after the last sentence, paragraph or word that fits. Lengths are in characters. */
export function firstSentences(text: string, maxLength: number): string {
  const cut = firstCharacters(text, maxLength);
  if (cut === text) return text;
  const ends = [...cut.matchAll(/[.!?。！？][)"'”’]?(?=\s)|\n/g)];
  const end = ends.at(-1);
  const word = cut.lastIndexOf(' ');
  const at = end && end.index > cut.length / 2 ? end.index + end[0].length : word > cut.length / 2 ? word : cut.length;
  return cut.slice(0, at).trimEnd();
}
