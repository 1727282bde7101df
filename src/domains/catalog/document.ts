import type { Product, Variant } from './schemas.ts';

/**
 * Stands in the stored text where a variant's quantity goes, followed by two hexadecimal digits: its place among the variants in
 * the order of their ids. JSON text never holds it: it would be written `\u0001`.
 */
const MARK = '\u0001';
const MARK_LENGTH = 3;
const MARKS = new RegExp(`${MARK}(..)`, 'g');

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
export function fillDocument(doc: Buffer, quantities: string): Buffer {
  const first = doc.indexOf(MARK);
  if (first < 0) return doc;
  const values = quantities.slice(1, -1).split(',');
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = first; at >= 0; at = doc.indexOf(MARK, from)) {
    const place = doc.toString('latin1', at + 1, at + MARK_LENGTH);
    parts.push(doc.subarray(from, at), Buffer.from(quantityAt(values, place)));
    from = at + MARK_LENGTH;
  }
  parts.push(doc.subarray(from));
  return Buffer.concat(parts);
}

export function parseDocument(text: string, quantities: string): Product {
  const values = quantities.slice(1, -1).split(',');
  return JSON.parse(text.replaceAll(MARKS, (_mark, place: string) => quantityAt(values, place)));
}

const quantityAt = (values: string[], place: string) => values[Number.parseInt(place, 16)] || '0';
