import { attributeOf, splitTags, tagName } from '../text/tags.ts';

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Tags that become text. All others are removed. */
const BREAKS: Record<string, string> = {
  br: '\n',
  hr: '\n\n----\n\n',
  li: '\n- ',
  '/td': '  ',
  '/th': '  ',
  ...bothTags('tr dt dd', '\n'),
  ...bothTags('p h1 h2 h3 h4 h5 h6 ul ol dl div blockquote pre table figure figcaption caption', '\n\n'),
};

function bothTags(names: string, text: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').flatMap((name) => [name, `/${name}`].map((each) => [each, text])));
}

/** Converts sanitized rich text to plain text. Links keep their URL, list items get dashes. */
export function plainText(html: string): string {
  const parts: string[] = [];
  let link: { href: string; start: number; label: string } | null = null;
  for (const [i, piece] of splitTags(html.replaceAll(/\s+/g, ' ')).entries()) {
    if (i % 2 === 0) {
      // A break already separates the words.
      parts.push(piece.startsWith(' ') && isBreak(parts.at(-1)) ? piece.slice(1) : piece);
      if (link) link.label += piece;
      continue;
    }
    const name = tagName(piece);
    const href: string | null = name === 'a' && !link ? attributeOf(piece, 'href') : null;
    if (href !== null) link = { href, start: parts.length, label: '' };
    else if (name === '/a' && link) {
      const { label, start } = link;
      if (label.trim() === '' || label === link.href) parts.splice(start, Number.POSITIVE_INFINITY, link.href);
      else parts.push(` (${link.href})`);
      link = null;
    } else parts.push(name === 'img' ? (attributeOf(piece, 'alt') ?? '') : (BREAKS[name] ?? ''));
  }
  return decodeEntities(parts.join(''))
    .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const isBreak = (text: string | undefined) => text?.endsWith('\n') || text === '\n- ' || text === '  ';

export const decodeEntities = (text: string) =>
  text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name) return NAMED[name.toLowerCase()] ?? all;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
