/** The content of an email as HTML with inline styles, because email clients support little else. */
import { escapeHtml } from '../text/escape.ts';
import { type Accent, COLORS, FONT } from './brand.ts';
import { elementHtml, type MailProducts } from './elements.ts';
import { isElement, isVoid, type Node, parseTree } from './html-tree.ts';
import { escapeTemplate, join, mapText, type Template } from './template.ts';

const TEXT = `margin:0 0 16px;${FONT}font-size:16px;line-height:1.55;color:${COLORS.ink};`;
const HEADING = `margin:0 0 16px;${FONT}font-size:26px;line-height:1.25;font-weight:700;color:${COLORS.ink};`;

const STYLES: Record<string, string> = {
  p: TEXT,
  ul: `${TEXT}padding-inline-start:24px;`,
  ol: `${TEXT}padding-inline-start:24px;`,
  li: 'margin:0 0 6px;',
  h1: HEADING,
  h2: `margin:24px 0 12px;${FONT}font-size:21px;line-height:1.3;color:${COLORS.ink};`,
  h3: `margin:20px 0 10px;${FONT}font-size:18px;line-height:1.35;color:${COLORS.ink};`,
  blockquote: `${TEXT}padding-inline-start:16px;border-inline-start:3px solid ${COLORS.line};`,
  img: 'max-width:100%;height:auto;border:0;',
  pre: 'margin:0 0 16px;font-family:Menlo,Consolas,monospace;font-size:14px;white-space:pre-wrap;',
  hr: `border:0;border-top:1px solid ${COLORS.line};margin:24px 0;`,
};

/** Formats plain text: blank lines separate paragraphs, line breaks are kept. */
export function paragraphs(words: Template, isHeading: boolean): Template {
  const [name, style] = isHeading ? ['h1', HEADING] : ['p', TEXT];
  const open = `<${name} style="${style}">`;
  const body = mapText(escapeTemplate(words), (text) =>
    text
      .replaceAll(/\r\n?/g, '\n')
      .split(/\n{2,}/)
      .map((paragraph) => paragraph.replaceAll('\n', '<br>\n'))
      .join(`</${name}>\n${open}`),
  );
  return join([open, ...body, `</${name}>`]);
}

const NO_PRODUCTS: MailProducts = new Map();

/** Sanitized rich text with the tables and inline styles that email clients need. */
export function richText(html: string, accent: Accent, products = NO_PRODUCTS): string {
  const styleOf = (name: string) => (name === 'a' ? `color:${accent.link};text-decoration:underline;` : STYLES[name]);
  const write = (nodes: readonly Node[]): string =>
    nodes
      .map((node) => {
        if (!isElement(node)) return node;
        const { name, attributes, children } = node;
        const style = styleOf(name);
        const start = `<${name}${style ? ` style="${style}"` : ''}${attributes}`;
        if (isVoid(node)) return `${start} />`;
        return elementHtml(node, { accent, products, write }) ?? `${start}>${write(children)}</${name}>`;
      })
      .join('');
  return write(parseTree(html));
}

export const image = (url: string, alt = '') =>
  `<p style="${TEXT}"><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" width="536" style="${STYLES.img}display:block;"></p>`;

export const absolute = (url: string, publicUrl: string) => (url.startsWith('/') ? `${publicUrl}${url}` : url);

export const absoluteLinks = (html: string, publicUrl: string) =>
  html.replaceAll(/\b(href|src)="\/(?!\/)/g, (_all, name: string) => `${name}="${publicUrl}/`);

/** A link in rich text whose start comes from a variable, so that its target is unknown. */
export const hasUnsafeLink = (html: string, safe: readonly string[]) =>
  [...html.matchAll(/\b(?:href|src)="[^":/?#{]*\{\{([^{}]*)\}\}/g)].some(([, name]) => !safe.includes(name!.trim()));
