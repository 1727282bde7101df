import type { Product, Variant } from './schemas.ts';

/**
 * Stands in the stored text where a variant's quantity goes, followed by two hexadecimal digits: its place among the variants in
 * the order of their ids. JSON text never holds it: it would be written `\u0001`.
 */
const MARK = '\u0001';
const MARK_LENGTH = 3;

/** The text that is stored: the answer of a read, with a mark for each quantity. Put together so that nothing else can hold one. */
export function renderDocument({ variants, statuses, blocks, createdAt, updatedAt, ...rest }: Product): string {
  const order = variants.map(({ id }) => id).sort();
  return [
    JSON.stringify(rest).slice(0, -1),
    `,"variants":[${variants.map((variant) => renderVariant(variant, order.indexOf(variant.id))).join(',')}],`,
    JSON.stringify({ statuses, blocks, createdAt, updatedAt }).slice(1),
  ].join('');
}

function renderVariant({ inventory, gallery, ...rest }: Variant, place: number): string {
  const mark = MARK + place.toString(16).padStart(2, '0');
  const { tracked, lowStockThreshold } = inventory;
  const threshold = lowStockThreshold === undefined ? '' : `,"lowStockThreshold":${lowStockThreshold}`;
  const pictures = gallery === undefined ? '' : `,"gallery":${JSON.stringify(gallery)}`;
  return `${JSON.stringify(rest).slice(0, -1)},"inventory":{"tracked":${tracked},"quantity":${mark}${threshold}}${pictures}}`;
}

/** The stored text with the quantities put in: `{3,0,17}`, in the order of the variants' ids. */
export function fillDocument(text: string, quantities: string): string {
  const first = text.indexOf(MARK);
  if (first < 0) return text;
  const values = quantities.slice(1, -1).split(',');
  let filled = '';
  let from = 0;
  for (let at = first; at >= 0; at = text.indexOf(MARK, from)) {
    filled += text.slice(from, at) + (values[Number.parseInt(text.slice(at + 1, at + MARK_LENGTH), 16)] || '0');
    from = at + MARK_LENGTH;
  }
  return filled + text.slice(from);
}

export const parseDocument = (text: string, quantities: string): Product => JSON.parse(fillDocument(text, quantities));
