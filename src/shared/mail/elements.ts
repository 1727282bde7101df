/** Buttons, galleries, products, embeds and columns of rich text in an email. Tables, because Outlook supports little else. Pure. */
import { escapeHtml } from '../text/escape.ts';
import { type Accent, COLORS, FONT } from './brand.ts';
import {
  attributeOf,
  type Element,
  elementsOf,
  findElement,
  isElement,
  type Node,
  parseTree,
  writeTree,
} from './html-tree.ts';

/** A product as it is when the email is written. */
export type MailProduct = {
  name: string;
  /** Absolute. */
  url: string;
  image: { url: string; alt: string } | null;
  /** Null if it is not for sale. */
  price: string | null;
  /** The price before a reduction. `words` is a phrase such as `(was €15.00)`. */
  regularPrice: { amount: string; words: string } | null;
  unitPrice: string | null;
  /** Names the lowest price of the 30 days before a reduction. */
  lowestPrice: string | null;
  /** The sold-out text. Null if the product is available. */
  soldOut: string | null;
};
export type MailProducts = ReadonlyMap<string, MailProduct>;

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
const CARD_PIXELS = 536;
const GAP_PIXELS = 16;
const PRODUCT_PIXELS = 120;
const IMAGE = 'display:block;max-width:100%;height:auto;border:0;border-radius:8px;';

type Write = (nodes: readonly Node[]) => string;
type Parts = { accent: Accent; products: MailProducts; write: Write };

/** Null if it is an ordinary element. */
export function elementHtml(element: Element, parts: Parts): string | null {
  const { name } = element;
  const has = (attribute: string) => attributeOf(element, attribute) !== undefined;
  if (name === 'p' && has('data-button')) return button(element, parts);
  if (name === 'figure') return has('data-gallery') ? gallery(element, parts) : figure(element, parts);
  if (name !== 'div') return null;
  if (has('data-columns')) return columns(element, parts);
  return has('data-product') ? product(parts.products.get(attributeOf(element, 'data-product')!), parts) : null;
}

/** Rich text in which each element is replaced with its plain-text equivalent. */
export function withPlainElements(html: string, products: MailProducts): string {
  const plain = (nodes: readonly Node[]): Node[] =>
    nodes.flatMap((node): Node[] => {
      if (!isElement(node)) return [node];
      const id = node.name === 'div' ? attributeOf(node, 'data-product') : undefined;
      if (node.name === 'figure' && attributeOf(node, 'data-gallery') !== undefined) return [galleryText(node)];
      if (id === undefined) return [{ ...node, children: plain(node.children) }];
      const found = products.get(id);
      if (!found) return [];
      const { name, price, regularPrice, unitPrice, lowestPrice, soldOut } = found;
      const prices = regularPrice === null ? price : `${price} ${regularPrice.words}`;
      const words = [name, prices, unitPrice, lowestPrice, soldOut].filter((text) => text !== null).map(escapeHtml);
      const url = escapeHtml(found.url);
      return [`<p>${words.join(' · ')}<br />${url}</p>`];
    });
  return writeTree(plain(parseTree(html)));
}

/** The descriptions of the pictures, and the caption. */
function galleryText(element: Element): string {
  const alts = elementsOf(element).flatMap((each) => attributeOf(each, 'alt') || []);
  const below = findElement(element.children, 'figcaption');
  return `<p>${alts.join(', ')}</p>${below ? writeTree([below]) : ''}`;
}

/** The IDs of the products in rich text. */
export const productIdsIn = (html: string): string[] =>
  [...html.matchAll(/<div data-product="([^"]+)">/g)].map(([, id]) => id!);

/** `mso-padding-alt` is for Outlook, which ignores the padding of a link. */
function button(element: Element, { accent: { button: color, onButton }, write }: Parts): string {
  const link = findElement(element.children, 'a');
  if (!link) return '';
  const style = `display:inline-block;padding:13px 24px;${FONT}font-size:16px;line-height:20px;font-weight:600;color:${onButton};text-decoration:none;`;
  return (
    `<table ${TABLE} class="button" style="margin:8px 0 24px;"><tr>` +
    `<td bgcolor="${color}" style="background:${color};border-radius:8px;mso-padding-alt:13px 24px;">` +
    `<a${link.attributes} style="${style}">${write(link.children)}</a></td></tr></table>\n`
  );
}

const image = (element: Element, pixels: number) => {
  const { src, alt } = { src: attributeOf(element, 'src') ?? '', alt: attributeOf(element, 'alt') ?? '' };
  return `<img src="${src}" alt="${alt}" width="${pixels}" style="${IMAGE}width:100%;">`;
};

/** A picture with a caption, or the picture and link of an embed. */
function figure(element: Element, { write }: Parts): string {
  const [picture, link] = [findElement(element.children, 'img'), findElement(element.children, 'a')];
  const shown = picture ? image(picture, CARD_PIXELS) : '';
  const linked =
    link && attributeOf(element, 'data-embed') !== undefined
      ? `<a${link.attributes}>${shown || write(link.children)}</a>`
      : shown;
  return `<div style="margin:0 0 16px;">${linked}${caption(element, write)}</div>\n`;
}

function caption(element: Element, write: Write): string {
  const found = findElement(element.children, 'figcaption');
  return found
    ? `<p class="quiet" style="margin:8px 0 0;${FONT}font-size:14px;line-height:1.5;color:${COLORS.quiet};">${write(found.children)}</p>`
    : '';
}

function gallery(element: Element, { write }: Parts): string {
  const pictures = elementsOf(element).filter(({ name }) => name === 'img');
  if (pictures.length === 0) return '';
  const perRow = Math.min(pictures.length, pictures.length === 4 ? 2 : 3);
  const rows: string[] = [];
  for (let i = 0; i < pictures.length; i += perRow)
    rows.push(
      row(
        pictures.slice(i, i + perRow).map((each) => image(each, widthOf(perRow))),
        perRow,
      ),
    );
  return `<div style="margin:0 0 16px;">${rows.join('')}${caption(element, write)}</div>\n`;
}

function columns(element: Element, { write }: Parts): string {
  const cells = elementsOf(element).map(({ children }) => write(children));
  return cells.length === 0 ? '' : row(cells, cells.length);
}

const widthOf = (count: number) => Math.floor((CARD_PIXELS - GAP_PIXELS * (count - 1)) / count);

/** Cells of equal width side by side, or one below the other on phones. */
function row(cells: readonly string[], count: number): string {
  const width = Math.floor(100 / count);
  const shown = cells.map((cell, i) => {
    const padding = i === count - 1 ? '0 0 12px' : `0 ${GAP_PIXELS}px 12px 0`;
    return `<td class="column" valign="top" width="${width}%" style="padding:${padding};word-break:break-word;">${cell}</td>`;
  });
  return `<table ${TABLE} width="100%" style="table-layout:fixed;"><tr>${shown.join('')}</tr></table>\n`;
}

function product(found: MailProduct | undefined, { accent }: Parts): string {
  if (!found) return '';
  const { name, image: picture, price, regularPrice, unitPrice, lowestPrice, soldOut } = found;
  const url = escapeHtml(found.url);
  const cell = `style="padding:16px;${FONT}font-size:16px;line-height:1.5;color:${COLORS.ink};word-break:break-word;"`;
  const shown = picture
    ? `<td class="thumb" width="${PRODUCT_PIXELS}" valign="middle" style="padding:16px 0 16px 16px;"><a href="${url}"><img src="${escapeHtml(picture.url)}" alt="${escapeHtml(picture.alt)}" width="${PRODUCT_PIXELS}" class="thumb" style="${IMAGE}"></a></td>`
    : '';
  const quiet = (text: string, i: number) =>
    `<br>\n<span class="quiet" style="${i === 0 ? '' : 'font-size:14px;'}color:${COLORS.quiet};">${text}</span>`;
  const before = regularPrice === null ? '' : ` <s>${escapeHtml(regularPrice.amount)}</s>`;
  const facts = [
    price && escapeHtml(price) + before,
    unitPrice && escapeHtml(unitPrice),
    soldOut && escapeHtml(soldOut),
  ];
  const lines = [
    facts.filter((fact) => fact !== null).join(' · '),
    lowestPrice === null ? '' : escapeHtml(lowestPrice),
  ];
  return (
    `<table ${TABLE} width="100%" class="line" style="margin:0 0 16px;border:1px solid ${COLORS.line};border-radius:12px;border-collapse:separate;"><tr>` +
    `${shown}<td valign="middle" ${cell}><a href="${url}" style="color:${accent.link};font-weight:600;text-decoration:none;">${escapeHtml(name)}</a>` +
    `${lines
      .filter((line) => line !== '')
      .map(quiet)
      .join('')}</td></tr></table>\n`
  );
}
