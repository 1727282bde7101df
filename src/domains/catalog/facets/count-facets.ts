import type { Db } from '../../../db/sql.ts';
import { MAX_TOTAL } from '../../../shared/paging.ts';
import type { ListFilter } from '../lists/list-queries.ts';
import { runText } from '../text-statement.ts';
import { type Candidates, candidateRows, findCandidates, isNarrowPrice } from './candidates.ts';
import { type FacetFilter, NO_FACETS, withoutGroup } from './filters.ts';
import { countAvailable, priceIn } from './queries.ts';
import type { Facets, FacetValue } from './schemas.ts';
import { readTerm } from './terms.ts';

const MAX_FACET_VALUES = 100;
const MAX_TERMS = 2000;
/** Facets with a filter of their own are counted one by one, so each counts fewer products. */
const MAX_SEPARATE = 2000;

/** What to count: prefixes of terms, prices in a market, availability. */
type Counted = { prefixes: readonly string[]; market: string | null; availability: boolean };
type Counts = {
  total: number;
  terms: { term: string; count: number }[] | null;
  min: number | null;
  max: number | null;
  available: number;
};

/**
 * Counts the values of these facets. A facet counts the products that match all filters but its own, so each facet with a filter
 * is counted separately.
 */
export async function countFacets(
  db: Db,
  businessId: string,
  filter: ListFilter,
  { facets: names, market = '' }: { facets: readonly string[]; market?: string | undefined },
): Promise<Facets> {
  const facets = filter.facets ?? NO_FACETS;
  const isNarrow = await isNarrowPrice(db, businessId, facets);
  const count = async (changed: FacetFilter, counted: Partial<Counted>, max = MAX_SEPARATE) => {
    const candidates = await findCandidates(db, businessId, { ...filter, facets: changed }, isNarrow);
    return countCandidates(db, candidates, counted, max);
  };
  const blockIds = names.flatMap((name) => (name.startsWith('block:') ? [name.slice('block:'.length)] : []));
  const prefixes = [...(names.includes('options') ? ['o:'] : []), ...blockIds.map((id) => `b:${id}\u001f`)];
  const own = facets.groups.filter(({ facet }) => prefixes.some((prefix) => `${facet}\u001f`.startsWith(prefix)));
  const [hasPrice, hasAvailability] = [names.includes('price'), names.includes('availability')];
  const [all, price, availability, ...filtered] = await Promise.all([
    count(
      facets,
      {
        prefixes,
        market: hasPrice && !facets.price ? market.toLowerCase() : null,
        availability: hasAvailability && facets.available === null,
      },
      MAX_TOTAL,
    ),
    hasPrice && facets.price ? count({ ...facets, price: null }, { market: market.toLowerCase() }) : null,
    hasAvailability && facets.available !== null ? count({ ...facets, available: null }, { availability: true }) : null,
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
      [price, availability, ...filtered].some((each) => each !== null && each.total >= MAX_SEPARATE),
    ...(hasPrice ? { price: prices.min === null ? null : { min: prices.min, max: prices.max! } } : {}),
    ...(hasAvailability
      ? { availability: { available: stock.available, soldOut: stock.total - stock.available } }
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

async function countCandidates(
  db: Db,
  candidates: Candidates,
  { prefixes = [], market = null, availability = false }: Partial<Counted>,
  max: number,
): Promise<Counts> {
  const [counts] = await runText<Counts>(
    db,
    (add) => `
      with found as materialized (
        select f.product_id, f.has_variants, ${prefixes.length > 0 ? 'f.terms' : 'null::text[] as terms'},
          ${market === null ? 'null::bigint' : priceIn(add, market)} as price
        from (${candidateRows(add, candidates, max)}) f
      )
      select count(*)::int as total, min(price) as min, max(price) as max,
        ${availability ? countAvailable(add, candidates.businessId) : '0'} as available, ${
          prefixes.length === 0
            ? 'null'
            : `(
          select json_agg(counted) from (
            select term, sum(number)::int as count from (
              select unnest(terms) as term, number from (select terms, count(*) as number from found group by terms) alike
            ) each
            where ${prefixes.map((prefix) => `starts_with(term, ${add(prefix)})`).join(' or ')}
            group by term order by count desc, term limit ${MAX_TERMS}
          ) counted)`
        } as terms
      from found`,
  );
  return counts!;
}
