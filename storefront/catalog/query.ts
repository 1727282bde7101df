/** The filters of a product list in the URL, and the request for them. */
import type { ListProductsQuery } from '@souk/client';
import type { Site } from '../page.ts';

export const SORTS = ['newest', 'best-selling', 'price', 'price-desc', 'name'] as const;
export type Sort = (typeof SORTS)[number] | 'relevance';

const PAGE_SIZE = 24;
/** The parameters of a page with a product list. */
export const LIST_PARAMETERS = ['q', 'sort', 'min', 'max', 'available', 'cursor', 'option:', 'block:'];
const NAMED = /^(?:option|block):/;

/** The name and value of a form field. */
export type Chosen = [name: string, value: string];

export type Filters = {
  q: string;
  sort: Sort;
  /** In the currency's main unit, as typed. */
  min: string;
  max: string;
  available: boolean;
  /** Options and blocks. */
  chosen: Chosen[];
};

export function readFilters(query: URLSearchParams): Filters {
  const q = (query.get('q') ?? '').trim().slice(0, 200);
  const sort = query.get('sort') as Sort;
  return {
    q,
    sort: (SORTS as readonly string[]).includes(sort) ? sort : q ? 'relevance' : 'newest',
    min: query.get('min') ?? '',
    max: query.get('max') ?? '',
    available: query.get('available') === 'true',
    chosen: [...query].filter(([name, value]) => NAMED.test(name) && value !== '').slice(0, 20),
  };
}

export const isFiltered = ({ min, max, available, chosen }: Filters) =>
  Boolean(min || max || available || chosen.length > 0);

/** The query string of these filters, without those that are not set. */
export function writeFilters({ q, sort, min, max, available, chosen }: Filters, more: Chosen[] = []): string {
  const isDefault = sort === (q ? 'relevance' : 'newest');
  const fields: Chosen[] = [
    ['q', q],
    ['sort', isDefault ? '' : sort],
    ['min', min],
    ['max', max],
    ['available', available ? 'true' : ''],
    ...chosen,
    ...more,
  ];
  const text = new URLSearchParams(fields.filter(([, value]) => value !== '')).toString();
  return text && `?${text}`;
}

const digitsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).resolvedOptions()
    .maximumFractionDigits ?? 2;

/** `19.90` or `19,90` in minor units; undefined if it is not a price. */
function minorUnits(text: string, currency: string): number | undefined {
  const value = Number(text.trim().replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(value) || value < 0 || value > 1e9) return undefined;
  return Math.round(value * 10 ** digitsOf(currency));
}

/** Minor units as a person types them: `19.90`, or `20` without decimals. */
export function majorUnits(
  minor: number,
  currency: string,
  round: (value: number) => number = (value) => value,
): string {
  return String(round(minor / 10 ** digitsOf(currency)));
}

/** Requests text in the page's language. The default language needs no parameter. */
export const inLocale = ({ locale, locales }: Pick<Site, 'locale' | 'locales'>) =>
  locale === locales[0] ? {} : { locale };

export function productQuery(site: Site, filters: Filters, categoryId: string | undefined): ListProductsQuery {
  const { id: market, currency } = site.market;
  const { q, sort, min, max, available, chosen } = filters;
  const valuesOf = (name: string) => chosen.filter(([each]) => each === name).map(([, value]) => value);
  return {
    limit: PAGE_SIZE,
    market,
    ...inLocale(site),
    ...(categoryId ? { categoryId } : {}),
    ...(q ? { query: q } : {}),
    ...(sort === 'price-desc' ? { sort: 'price', sortDirection: 'desc' } : { sort }),
    minPrice: minorUnits(min, currency),
    maxPrice: minorUnits(max, currency),
    ...(available ? { available } : {}),
    ...Object.fromEntries(chosen.map(([name]) => [name, valuesOf(name)])),
    facets: ['price', 'options', 'availability'],
  } as ListProductsQuery;
}
