/** The values that products are filtered and counted by: categories, options and blocks. Pure. */
import type { BlockValue } from '../../../shared/blocks/index.ts';
import type { Product } from '../products/schemas.ts';

/** Separates a name from its value. No name contains it. */
const SEPARATOR = '\u001f';
const MAX_VALUE = 100;
/** If a product has more options than this, only the first ones are indexed. */
const MAX_TERMS = 300;

export const categoryTerm = (id: string) => `c:${id}`;
/** Option names are compared case-insensitively. */
export const optionTerm = (name: string, value: string) => `o:${name.trim().toLowerCase()}${SEPARATOR}${value}`;
export const blockTerm = (id: string, value: string) => `b:${id}${SEPARATOR}${value}`;

/** The facet and the value of a term. */
export function readTerm(term: string): { facet: string; value: string } {
  const at = term.indexOf(SEPARATOR);
  return { facet: term.slice(0, at), value: term.slice(at + 1) };
}

export function termsOf({ categoryIds, variants, blocks }: Product): string[] {
  const options = variants.flatMap(({ attributes }) =>
    attributes.flatMap(({ name, value }) => (isValue(value) ? optionTerm(name, value) : [])),
  );
  const values = blocks.flatMap((block) => valuesOf(block).map((value) => blockTerm(block.id, value)));
  return [...new Set([...categoryIds.map(categoryTerm), ...values, ...options])].slice(0, MAX_TERMS);
}

const isValue = (value: string) => value !== '' && value.length <= MAX_VALUE && !value.includes(SEPARATOR);

/** Selections, numbers, booleans, and short text values that are not translated. */
function valuesOf({ type, value }: BlockValue): string[] {
  if (type === 'MULTI_SELECT') return (Array.isArray(value) ? value : []).map(String).filter(isValue);
  if (!['SELECT', 'TEXT', 'NUMBER', 'BOOLEAN'].includes(type) || value === null || typeof value === 'object') return [];
  const text = String(value);
  return isValue(text) && !text.includes('<') ? [text] : [];
}
