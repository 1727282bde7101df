import { withAddresses } from '../../shared/own-addresses.ts';
import { inStoredOrder } from '../../shared/statuses.ts';
import type { Product, Variant } from './schemas.ts';

/**
 * Stands in the stored text where a variant's quantity goes, followed by two hexadecimal digits: its position among the variants in
 * the order of their ids. JSON text never holds it: it would be written `\u0001`.
 */
const MARK = '\u0001';
const MAX_POSITION = 0xff;
const MARKS = new RegExp(`${MARK}(..)`, 'g');

/** The text that is stored: the answer of a read, with a mark for each quantity. Put together so that nothing else can hold one. */
export function renderDocument(product: Product): string {
  const { variants, statuses, blocks, scheduled, hasDraft, createdAt, updatedAt, ...rest } = product;
  const order = variants.map(({ id }) => id).sort();
  return [
    JSON.stringify(rest).slice(0, -1),
    `,"variants":[${variants.map((variant) => renderVariant(variant, order.indexOf(variant.id))).join(',')}],`,
    JSON.stringify(inStoredOrder({ statuses, blocks, ...{ scheduled, hasDraft }, createdAt, updatedAt })).slice(1),
  ].join('');
}

function renderVariant({ inventory, gallery, ...rest }: Variant, position: number): string {
  if (position > MAX_POSITION) throw new Error('A product has more variants than its document has marks for.');
  const mark = MARK + position.toString(16).padStart(2, '0');
  const { tracked, lowStockThreshold } = inventory;
  const threshold = lowStockThreshold === undefined ? '' : `,"lowStockThreshold":${lowStockThreshold}`;
  const pictures = gallery === undefined ? '' : `,"gallery":${JSON.stringify(gallery)}`;
  return `${JSON.stringify(rest).slice(0, -1)},"inventory":{"tracked":${tracked},"quantity":${mark}${threshold}}${pictures}}`;
}

/** The stored text as it is answered: with the quantities, `{3,0,17}` in the order of the variants' ids, and whole addresses. */
export const fillDocument = (doc: string, quantities: string, publicUrl: string) =>
  withAddresses(withQuantities(doc, quantities), publicUrl);

function withQuantities(doc: string, quantities: string): string {
  const values = quantities.slice(1, -1).split(',');
  return doc.replaceAll(MARKS, (_mark, position: string) => values[Number.parseInt(position, 16)] || '0');
}

/** The product as it is stored. */
export const parseDocument = (doc: string, quantities: string): Product => JSON.parse(withQuantities(doc, quantities));
