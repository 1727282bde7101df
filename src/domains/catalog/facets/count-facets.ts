import type { Db } from '../../../db/sql.ts';
import { MAX_TOTAL } from '../../../shared/paging.ts';
import type { ListFilter } from '../lists/list-queries.ts';
import { type Candidates, type Counted, type FindCandidates, isCounted } from './candidates.ts';
import { type FacetFilter, NO_FACETS, type TermGroup, without } from './filters.ts';
import { type Counts, readCandidates } from './read-candidates.ts';
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
  const { deferred } = await shared.candidates;
  let isCapped = false;
  /** The counts without this filter. If it was deferred, the shared counts. */
  const countWithout = async (filtered: FacetFilter, isDeferred: boolean, counted: Counted): Promise<Counts> => {
    if (isDeferred) return shared.counts;
    const candidates = await find({ ...filter, facets: without(facets, filtered) });
    const { counts } = await readCandidates(db, candidates, { count: counted, max: MAX_SEPARATE });
    if (counts.total >= MAX_SEPARATE) isCapped = true;
    return counts;
  };
  const countGroup = async (group: TermGroup) => {
    const at = deferred.groups.indexOf(group);
    const prefixes = [`${group.facet}\u001f`];
    const counts = await countWithout({ ...NO_FACETS, groups: [group] }, at >= 0, { prefixes });
    return at < 0 ? counts.terms : counts.own[at];
  };
  const counted = sharedCounts({ facets: names, market });
  const blockIds = blocksIn(names);
  const own = facets.groups.filter(({ facet }) => isCounted(facet, counted));
  const hasPrice = names.includes('price');
  const [all, price, availability, ...filtered] = await Promise.all([
    shared.counts,
    hasPrice && facets.price
      ? countWithout({ ...NO_FACETS, price: facets.price }, deferred.price !== null, { market: counted.market! })
      : null,
    counted.availability && facets.available !== null
      ? countWithout({ ...NO_FACETS, available: facets.available }, deferred.available !== null, { availability: true })
      : null,
    ...own.map(countGroup),
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
  for (const terms of filtered) for (const { term, count: number } of terms ?? []) add(term, number, true);
  const prices = price ?? all;
  const stock = availability ?? all;
  return {
    total: all.total,
    isCapped: isCapped || all.total >= MAX_TOTAL,
    ...(hasPrice ? { price: prices.min === null ? null : { min: prices.min, max: prices.max! } } : {}),
    ...(counted.availability
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
