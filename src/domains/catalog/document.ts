import type { Product, Variant } from './schemas.ts';

/** Stands in the stored text where a variant's quantity goes. JSON text never holds it: it would be written `\u0001`. */
const MARK = '\u0001';

/** The text that is stored: the answer of a read, with a mark for each quantity. Put together so that nothing else can hold one. */
export function renderDocument({ variants, statuses, blocks, createdAt, updatedAt, ...rest }: Product): string {
  return [
    JSON.stringify(rest).slice(0, -1),
    `,"variants":[${variants.map(renderVariant).join(',')}],`,
    JSON.stringify({ statuses, blocks, createdAt, updatedAt }).slice(1),
  ].join('');
}

function renderVariant({ inventory, gallery, ...rest }: Variant): string {
  const { tracked, lowStockThreshold } = inventory;
  const threshold = lowStockThreshold === undefined ? '' : `,"lowStockThreshold":${lowStockThreshold}`;
  const pictures = gallery === undefined ? '' : `,"gallery":${JSON.stringify(gallery)}`;
  return `${JSON.stringify(rest).slice(0, -1)},"inventory":{"tracked":${tracked},"quantity":${MARK}${threshold}}${pictures}}`;
}

/** The stored text with the quantities put in: `quantities` as `3,0,17`, in the order of the variants. */
export function fillDocument(text: string, quantities: string | null): string {
  const first = text.indexOf(MARK);
  if (first < 0) return text;
  if (quantities === null) return text.replaceAll(MARK, '0');
  const second = text.indexOf(MARK, first + 1);
  if (second < 0) return text.slice(0, first) + quantities + text.slice(first + 1);
  const parts = text.split(MARK);
  const values = quantities.split(',');
  let filled = parts[0]!;
  for (let i = 1; i < parts.length; i++) filled += (values[i - 1] ?? '0') + parts[i]!;
  return filled;
}

export const parseDocument = (text: string, quantities: string | null): Product =>
  JSON.parse(fillDocument(text, quantities));
