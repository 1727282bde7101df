import type { Db } from '../../../db/sql.ts';
import { MAX_TOTAL } from '../../../shared/paging.ts';
import type { ListFilter } from '../lists/list-queries.ts';
import { type Candidates, deferrable, type FindCandidates } from './candidates.ts';
import { type FacetFilter, NO_FACETS, withoutGroup } from './filters.ts';
import { type Counted, type Counts, readCandidates } from './read-candidates.ts';
import type { Facets, FacetValue } from './schemas.ts';
import { readTerm } from './terms.ts';

const MAX_FACET_VALUES = 100;
/** Facets with their own filter are counted one by one, so each counts fewer products. */
const MAX_SEPARATE = 2000;

export type FacetNames = { facets: readonly string[]; market?: string | undefined };

const blocksIn = (names: readonly string[]) =>
  names.flatMap((name) => (name.startsWith('block:') ? [name.slice('block:'.length)] : []));

const prefixesOf = (names: readonly string[]) => [
  ...(names.includes('options') ? ['o:'] : []),
  ...blocksIn(names).map((id) => `b:${id}\u001f`),
];

/** What to count while reading the products that match all filters. */
export const sharedCounts = ({ facets: names, market = '' }: FacetNames): Counted => ({
  prefixes: prefixesOf(names),
  market: names.includes('price') ? market.toLowerCase() : null,
  availability: names.includes('availability'),
});

/** The products that match all filters, and their counts. */
export type Shared = { candidates: Promise<Candidates>; counts: Promise<Counts> };

/**
 * Counts the values of these facets. A facet counts the products that match all filters but its own, so each facet with a filter
 * is counted separately, unless the filter was deferred.
 */
export async function countFacets(
  db: Db,
  find: FindCandidates,
  filter: ListFilter,
  { facets: names, market = '' }: FacetNames,
  shared: Shared,
): Promise<Facets> {
  const facets = filter.facets ?? NO_FACETS;
  const count = async (changed: FacetFilter, counted: Counted) => {
    const candidates = await find({ ...filter, facets: changed });
    return (await readCandidates(db, candidates, { count: counted, max: MAX_SEPARATE })).counts;
  };
  /** The counts without the filter: the shared ones, if they were read without it. */
  const countWithout = async (filtered: 'price' | 'availability', changed: FacetFilter, counted: Counted) => {
    const candidates = await shared.candidates;
    const isReadWithout = deferrable(candidates)[filtered] && candidates.source.kind !== 'soldOut';
    const counts = isReadWithout ? await shared.counts : null;
    return counts?.deferred[filtered] ? counts : count(changed, counted);
  };
  const blockIds = blocksIn(names);
  const prefixes = prefixesOf(names);
  const own = facets.groups.filter(({ facet }) => prefixes.some((prefix) => `${facet}\u001f`.startsWith(prefix)));
  const [hasPrice, hasAvailability] = [names.includes('price'), names.includes('availability')];
  const [all, price, availability, ...filtered] = await Promise.all([
    shared.counts,
    hasPrice && facets.price
      ? countWithout('price', { ...facets, price: null }, { market: market.toLowerCase() })
      : null,
    hasAvailability && facets.available !== null
      ? countWithout('availability', { ...facets, available: null }, { availability: true })
      : null,
    ...own.map(({ facet }) => count(withoutGroup(facets, facet), { prefixes: [`${facet}\u001f`] })),
  ]);
  const filteredFacets = new Set(own.map(({ facet }) => facet));
  const values = new Map<string, FacetValue[]>();
  const add = (term: string, number: number, isOwn: boolean) => {
    const { facet, value } = readTerm(term);
    if (filteredFacets.has(facet) !== isOwn) return;
    const known = values.get(facet);
    if (!known) values.set(facet, [{ value, count: number }]);
    else if (known.length < MAX_FACET_VALUES) known.push({ value, count: number });
  };
  for (const { term, count: number } of all.terms ?? []) add(term, number, false);
  for (const { terms } of filtered) for (const { term, count: number } of terms ?? []) add(term, number, true);
  const prices = price ?? all;
  const stock = availability ?? all;
  return {
    total: all.total,
    isCapped:
      all.total >= MAX_TOTAL ||
      [price, availability, ...filtered].some((each) => each && each !== all && each.total >= MAX_SEPARATE),
    ...(hasPrice ? { price: prices.min === null ? null : { min: prices.min, max: prices.max! } } : {}),
    ...(hasAvailability
      ? { availability: { available: stock.available, soldOut: stock.stocked - stock.available } }
      : {}),
    ...(names.includes('options') ? { options: facetsWith(values, 'o:', (name) => ({ name })) } : {}),
    ...(blockIds.length > 0 ? { blocks: blockIds.map((id) => ({ id, values: values.get(`b:${id}`) ?? [] })) } : {}),
  };
}

const facetsWith = <T>(values: Map<string, FacetValue[]>, prefix: string, named: (name: string) => T) =>
  [...values]
    .filter(([facet]) => facet.startsWith(prefix))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([facet, found]) => ({ ...named(facet.slice(prefix.length)), values: found }));
