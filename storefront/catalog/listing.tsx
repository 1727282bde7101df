/** A list of products with filters. The filters are one GET form, so they work without the script. */
import { ProductGrid } from '../cards.tsx';
import { Island } from '../island.tsx';
import { AutoSubmit } from '../islands/auto-submit.tsx';
import type { Site } from '../page.ts';
import { fill, link } from '../site.ts';
import { FilterFields } from './filter-fields.tsx';
import type { Listing as Data } from './load.ts';
import { isFiltered, readFilters, SORTS, type Sort, writeFilters } from './query.ts';

type Props = { data: Data; site: Site; path: string };

const NO_FILTERS = readFilters(new URLSearchParams());

/** The service counts up to this number. */
const MAX_TOTAL = 10_000;

export function Listing({ data, site, path }: Props) {
  const { products, facets, filters, next, isFirst } = data;
  const { catalog: words } = site.texts;
  const number = new Intl.NumberFormat(site.locale).format(facets.total) + (facets.total >= MAX_TOTAL ? '+' : '');
  const here = (query: string) => link(site, `${path}${query}`);
  // One product needs neither filters nor sorting.
  const isBare = facets.total < 2 && !isFiltered(filters);
  const cleared = here(writeFilters({ ...NO_FILTERS, q: filters.q, sort: filters.sort }));
  return (
    <div class="listing">
      <div class="listing-bar">
        <p role="status">{fill(facets.total === 1 ? words.oneProduct : words.products, { count: number })}</p>
        {!isBare && (
          <>
            <a href="#filters" class="button quiet open-filters">
              {isFiltered(filters) ? words.filtersOn : words.filters}
            </a>
            <SortField site={site} sort={filters.sort} hasQuery={filters.q !== ''} />
          </>
        )}
      </div>
      {!isBare && <Filters data={data} site={site} path={path} cleared={cleared} />}
      <div class="listing-items">
        {products.length === 0 ? (
          <div class="empty">
            <p>
              {filters.q && !isFiltered(filters) ? fill(site.texts.site.noResults, { query: filters.q }) : words.none}
            </p>
            {isFiltered(filters) && <a href={cleared}>{words.clear}</a>}
          </div>
        ) : (
          <ProductGrid products={products} eager={2} />
        )}
        <Paging site={site} data={data} here={here} next={next} isFirst={isFirst} />
      </div>
    </div>
  );
}

function Filters({ data, site, path, cleared }: Props & { cleared: string }) {
  const { filters } = data;
  const { catalog: words } = site.texts;
  return (
    <form id="filters" class="filters" method="get" action={link(site, path)} aria-label={words.filters}>
      {filters.q && <input type="hidden" name="q" value={filters.q} />}
      {site.market.id !== site.defaultMarketId && <input type="hidden" name="market" value={site.market.id} />}
      <header>
        <h2>{words.filters}</h2>
        <a href="#main" class="close-filters">
          {words.close}
        </a>
      </header>
      <FilterFields data={data} site={site} />
      <div class="filter-actions">
        <button type="submit">{words.show}</button>
        {isFiltered(filters) && (
          <a href={cleared} class="button quiet">
            {words.clear}
          </a>
        )}
      </div>
      <Island name="auto-submit" of={AutoSubmit} props={{}} />
    </form>
  );
}

function SortField({ site, sort, hasQuery }: { site: Site; sort: Sort; hasQuery: boolean }) {
  const { catalog: words } = site.texts;
  const texts: Record<Sort, string> = {
    relevance: words.relevance,
    newest: words.newest,
    'best-selling': words.bestSelling,
    price: words.cheapest,
    'price-desc': words.mostExpensive,
    name: words.name,
  };
  const options: Sort[] = [...(hasQuery ? (['relevance'] as const) : []), ...SORTS];
  return (
    <label class="sort">
      <span>{words.sort}</span>
      <select name="sort" form="filters">
        {options.map((each) => (
          <option key={each} value={each} selected={each === sort}>
            {texts[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

type PagingProps = Pick<Data, 'next' | 'isFirst'> & { site: Site; data: Data; here: (query: string) => string };

function Paging({ site, data, here, next, isFirst }: PagingProps) {
  const { catalog: words } = site.texts;
  if (isFirst && next === null) return null;
  return (
    <nav class="paging" aria-label={words.pages}>
      {!isFirst && (
        <a href={here(writeFilters(data.filters))} class="button quiet">
          {words.firstPage}
        </a>
      )}
      {next !== null && (
        <a href={here(writeFilters(data.filters, [['cursor', next]]))} class="button quiet" rel="next">
          {words.nextPage}
        </a>
      )}
    </nav>
  );
}
