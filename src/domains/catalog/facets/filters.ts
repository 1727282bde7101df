/** Reads the filters of a storefront from a query string. Pure. */
import { type FieldError, invalid } from '../../../shared/errors.ts';
import type { ProductQuery } from '../products/schemas.ts';
import { blockTerm, optionTerm } from './terms.ts';

const MAX_FILTERS = 20;
const MAX_VALUES = 100;

/** A product must have one of these terms. `facet` is their prefix. */
export type TermGroup = { facet: string; terms: readonly string[] };
export type PriceRange = { market: string; min: number | null; max: number | null };
/** Null values don't filter. `groups` includes the categories. */
export type FacetFilter = { groups: readonly TermGroup[]; price: PriceRange | null; available: boolean | null };

export const NO_FACETS: FacetFilter = { groups: [], price: null, available: null };
export const CATEGORY_FACET = 'c';

export const isFiltering = ({ groups, price, available }: FacetFilter) =>
  groups.length > 0 || price !== null || available !== null;

const NAMED = /^(option|block):(.{1,100}?)(?:\[\])?$/s;
const PLACEHOLDERS = new Set(['option:name', 'block:id']);

/** Throws 422 for filters without a market, or too many of them. */
export function readFacetFilter(query: ProductQuery): FacetFilter {
  const { minPrice = null, maxPrice = null, available = null, market, facets = [] } = query;
  const errors: FieldError[] = [];
  const hasPrice = minPrice !== null || maxPrice !== null;
  if (market === undefined && (hasPrice || facets.includes('price')))
    errors.push({ field: 'market', error: 'REQUIRED', message: 'market is required to filter or count by price.' });
  const groups: TermGroup[] = [];
  for (const [name, sent] of Object.entries(query)) {
    const [, kind, id] = NAMED.exec(name) ?? [];
    if (kind === undefined || id === undefined || PLACEHOLDERS.has(name)) continue;
    const values = [sent].flat().map(String).filter(Boolean);
    if (values.length > MAX_VALUES)
      errors.push({ field: name, error: 'TOO_LONG', message: `${name} must have at most ${MAX_VALUES} values.` });
    const term = kind === 'option' ? optionTerm : blockTerm;
    if (values.length > 0)
      groups.push({ facet: term(id, '').slice(0, -1), terms: values.map((value) => term(id, value)) });
  }
  if (groups.length > MAX_FILTERS)
    errors.push({ field: 'option', error: 'TOO_LONG', message: `Use at most ${MAX_FILTERS} filters at once.` });
  if (errors.length > 0) throw invalid(errors);
  const price = hasPrice ? { market: market!.toLowerCase(), min: minPrice, max: maxPrice } : null;
  return { groups, price, available };
}

/** The filter without some of its parts, such as the group of a facet, to count the values of that facet. */
export const without = (filter: FacetFilter, { groups, price, available }: FacetFilter): FacetFilter => ({
  groups: filter.groups.filter((group) => !groups.includes(group)),
  price: price ? null : filter.price,
  available: available === null ? filter.available : null,
});
