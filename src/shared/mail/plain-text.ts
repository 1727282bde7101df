import { tagsOf } from '../text/tags.ts';
import { attributeOf } from './html-tree.ts';

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** What a tag becomes, before and instead of the space after it. Other tags are removed. */
const BREAKS = new Map([
  ...['tr', 'dt', 'dd'].map((name) => [name, '\n'] as const),
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'div'].map((name) => [name, '\n\n'] as const),
  ...['blockquote', 'pre', 'table', 'figure', 'figcaption', 'caption'].map((name) => [name, '\n\n'] as const),
]);

/** Converts sanitized rich text to plain text. Links keep their URL, list items get dashes. */
export function plainText(html: string): string {
  const source = html.replaceAll(/\s+/g, ' ');
  const parts: string[] = [];
  /** The open link: its URL, where its label starts, and the text of the label. */
  let link: { href: string; from: number; label: string } | null = null;
  let at = 0;
  const addText = (end: number) => {
    const text = source.slice(at, end);
    parts.push(text);
    if (link) link.label += text;
  };
  for (const { name, isClosing, attributes, start, end } of tagsOf(source)) {
    addText(start);
    at = end;
    const written = textOfTag(name, isClosing, attributes);
    parts.push(written);
    const eatsSpace = written.endsWith('\n') || written === '\n- ' || written === CELL;
    if (eatsSpace && name !== 'hr' && source[at] === ' ') at++;
    if (name !== 'a') continue;
    if (isClosing && link) {
      const { href, from, label } = link;
      if (label.trim() === '' || label === href) parts.splice(from, parts.length, href);
      else parts.push(` (${href})`);
      link = null;
    } else if (!isClosing && !link) {
      const href = attributeOf({ attributes }, 'href');
      if (href !== undefined) link = { href, from: parts.length, label: '' };
    }
  }
  addText(source.length);
  return decodeEntities(parts.join(''))
    .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const CELL = '  ';

function textOfTag(name: string, isClosing: boolean, attributes: string): string {
  if (name === 'td' || name === 'th') return isClosing ? CELL : '';
  if (isClosing) return BREAKS.get(name) ?? '';
  if (name === 'img') return attributeOf({ attributes }, 'alt') ?? '';
  if (name === 'br') return '\n';
  if (name === 'hr') return '\n\n----\n\n';
  return name === 'li' ? '\n- ' : (BREAKS.get(name) ?? '');
}

export const decodeEntities = (text: string) =>
  text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name) return NAMED[name.toLowerCase()] ?? all;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
