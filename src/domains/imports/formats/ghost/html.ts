/**
 * Converts the editor documents of Ghost to HTML: Lexical (since 5.0) and Mobiledoc (before). Pure. The HTML is sanitized
 * when it is saved.
 * Sources: lexical.dev/docs/concepts/serialization, github.com/bustle/mobiledoc-kit/blob/main/MOBILEDOC.md.
 */
import { isRecord } from '../../../../shared/is-record.ts';
import { escapeHtml } from '../../../../shared/text/escape.ts';
import { textOf } from '../format.ts';

/** `lost`: the names of cards and nodes that can't be converted. `hasMarkdown`: whether a card has Markdown, which stays as it is. */
type Html = { html: string; lost: string[]; hasMarkdown: boolean };
/** Parts of a document can be used any number of times, so the HTML can be much longer than the document. */
const MAX_HTML = 4_194_304;
export class TooLong extends Error {}

type Node = Record<string, unknown>;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const nodesOf = (value: unknown): Node[] => listOf(value).filter(isRecord);
const attribute = (name: string, value: unknown) =>
  textOf(value) === '' ? '' : ` ${name}="${escapeHtml(textOf(value))}"`;
const element = (tag: string, content: string) => `<${tag}>${content}</${tag}>`;
const link = (url: unknown, content: string) => `<a${attribute('href', url)}>${content}</a>`;
const image = ({ src, alt, title }: Node) =>
  `<img${attribute('src', src)}${attribute('alt', alt)}${attribute('title', title)}>`;
const figure = (content: string, caption: unknown) =>
  element('figure', content + (textOf(caption) === '' ? '' : element('figcaption', textOf(caption))));

const isMarkdown = (type: string) => /^(?:card-)?markdown$/.test(type);

const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** Cards have the same fields in both kinds of documents. Null if the card has no HTML. */
function cardHtml(type: string, card: Node): string | null {
  switch (type) {
    case 'image':
      return figure(image(card), card.caption);
    case 'gallery':
      return figure(nodesOf(card.images).map(image).join(''), card.caption);
    case 'html':
      return textOf(card.html);
    case 'markdown':
    case 'card-markdown':
      return paragraphs(textOf(card.markdown));
    case 'code':
    case 'codeblock':
      return figure(element('pre', element('code', escapeHtml(textOf(card.code)))), card.caption);
    case 'hr':
    case 'horizontalrule':
      return '<hr>';
    case 'paywall':
      return '<hr data-paywall>';
    case 'embed':
      return (
        textOf(card.html) ||
        (textOf(card.url) === '' ? null : element('p', link(card.url, escapeHtml(textOf(card.url)))))
      );
    case 'bookmark': {
      const { title } = isRecord(card.metadata) ? card.metadata : {};
      return element('p', link(card.url, escapeHtml(textOf(title) || textOf(card.url))));
    }
    case 'button':
      return element('p', link(card.buttonUrl, escapeHtml(textOf(card.buttonText))));
    case 'callout':
      return element('blockquote', `${escapeHtml(textOf(card.calloutEmoji))} ${textOf(card.calloutText)}`.trim());
    case 'toggle':
      return element('h4', textOf(card.heading)) + textOf(card.content);
    case 'file':
      return element('p', link(card.src, escapeHtml(textOf(card.fileTitle) || textOf(card.fileName))));
    case 'video':
    case 'audio':
      return textOf(card.src) === '' ? null : `<${type}${attribute('src', card.src)}></${type}>`;
    default:
      return null;
  }
}

/** Without a Markdown parser, Markdown stays as it was written. */
const paragraphs = (text: string) =>
  text
    .split(/\n\n+/)
    .filter((part) => part.trim() !== '')
    .map((part) => element('p', escapeHtml(part.trim()).replaceAll('\n', '<br>')))
    .join('');

/** Bits of a Lexical text format. */
const FORMATS: readonly (readonly [bit: number, tag: string])[] = [
  [16, 'code'],
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [32, 'sub'],
  [64, 'sup'],
];
const MAX_DEPTH = 60;

export function lexicalHtml(text: string): Html {
  const lost: string[] = [];
  let hasMarkdown = false;
  const counted = limited();
  const children = (node: Node, depth: number) =>
    nodesOf(node.children)
      .map((child) => html(child, depth + 1))
      .join('');
  const html = (node: Node, depth: number): string => {
    if (depth > MAX_DEPTH) return '';
    const type = textOf(node.type).replace(/^extended-/, '');
    const tag = textOf(node.tag);
    switch (type) {
      case 'root':
        return children(node, depth);
      case 'text': {
        const format = Number(node.format) || 0;
        return FORMATS.reduce(
          (content, [bit, name]) => (format & bit ? element(name, content) : content),
          counted(escapeHtml(textOf(node.text))),
        );
      }
      case 'linebreak':
        return '<br>';
      case 'tab':
        return ' ';
      case 'paragraph':
        return element('p', children(node, depth));
      case 'heading':
        return element(HEADINGS.has(tag) ? tag : 'h2', children(node, depth));
      case 'quote':
      case 'aside':
        return element('blockquote', children(node, depth));
      case 'link':
      case 'autolink':
        return link(counted(textOf(node.url)), children(node, depth));
      case 'list':
        return element(tag === 'ol' || node.listType === 'number' ? 'ol' : 'ul', children(node, depth));
      case 'listitem':
        return element('li', children(node, depth));
      default: {
        const card = cardHtml(type, node);
        if (card === null) lost.push(type || 'unknown');
        hasMarkdown ||= isMarkdown(type);
        return card === null ? children(node, depth) : counted(card);
      }
    }
  };
  const document = parsed(text);
  const root = isRecord(document?.root) ? html(document.root, 0) : '';
  return { html: root, lost, hasMarkdown };
}

const MARKUPS = new Set(['strong', 'b', 'em', 'i', 'u', 's', 'code', 'sub', 'sup', 'a', 'mark', 'del', 'ins']);
const BLOCKS = new Set([...HEADINGS, 'p', 'blockquote', 'aside', 'pre', 'pull-quote']);

export function mobiledocHtml(text: string): Html {
  const document = parsed(text);
  if (!document) return { html: '', lost: [], hasMarkdown: false };
  const lost: string[] = [];
  let hasMarkdown = false;
  const counted = limited();
  const [markups, atoms, cards] = [document.markups, document.atoms, document.cards].map(
    (list) => listOf(list) as unknown[][],
  );
  const content = (markers: unknown) => {
    const open: string[] = [];
    return (listOf(markers) as unknown[][])
      .map((marker) => {
        const [type, opened, closed, value] = listOf(marker);
        let out = '';
        for (const index of listOf(opened)) {
          const [name, attributes] = listOf(markups![Number(index)]);
          const tag = MARKUPS.has(textOf(name)) ? textOf(name) : 'span';
          const at = listOf(attributes).indexOf('href');
          out += counted(tag === 'a' && at !== -1 ? `<a${attribute('href', listOf(attributes)[at + 1])}>` : `<${tag}>`);
          open.push(tag);
        }
        // An atom, such as a line break.
        const atom = type === 1 ? listOf(atoms![Number(value)]) : null;
        out += counted(
          atom ? (atom[0] === 'soft-return' ? '<br>' : escapeHtml(textOf(atom[1]))) : escapeHtml(textOf(value)),
        );
        for (let left = Math.min(Number(closed) || 0, open.length); left > 0; left--) out += `</${open.pop()}>`;
        return out;
      })
      .join('');
  };
  const html = (listOf(document.sections) as unknown[][])
    .map((section) => {
      const [type, second, third] = listOf(section);
      const tag = textOf(second);
      if (type === 1)
        return element(BLOCKS.has(tag) && !/^(?:aside|pull-quote)$/.test(tag) ? tag : 'p', content(third));
      if (type === 2) return counted(figure(image({ src: second }), ''));
      if (type === 3)
        return element(
          tag === 'ol' ? 'ol' : 'ul',
          listOf(third)
            .map((item) => element('li', content(item)))
            .join(''),
        );
      if (type !== 10) return '';
      const [name, payload] = listOf(cards![Number(second)]);
      const card = cardHtml(textOf(name), isRecord(payload) ? payload : {});
      if (card === null) lost.push(textOf(name) || 'unknown');
      hasMarkdown ||= isMarkdown(textOf(name));
      return counted(card ?? '');
    })
    .join('');
  return { html, lost, hasMarkdown };
}

/** Returns its argument until the total is too long. */
function limited(): (part: string) => string {
  let left = MAX_HTML;
  return (part) => {
    left -= part.length;
    if (left < 0) throw new TooLong();
    return part;
  };
}

function parsed(text: string): Node | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
