import type { Facets, ListedProduct, ProductPage } from '@souk/client';
import type { Visit } from '../page.ts';
import { type Filters, productQuery, readFilters } from './query.ts';

export type Listing = {
  products: ListedProduct[];
  facets: Facets;
  /** The labels of blocks, by ID. */
  labels: Record<string, string>;
  filters: Filters;
  /** Null on the last page. */
  next: string | null;
  isFirst: boolean;
};

const NO_FACETS: Facets = { total: 0, isCapped: false };
const MAX_BLOCKS = 5;

/** A page of products that match the filters in the URL. Blocks with choices become filters too. */
export async function loadListing({ site, souk, query }: Visit, categoryId?: string): Promise<Listing> {
  const filters = readFilters(query);
  const request = productQuery(site, filters, categoryId);
  const cursor = query.get('cursor');
  const page = (await souk.products.list(request).page(cursor)) as ProductPage;
  const labels = choiceBlocks(page.items);
  const ids = [...new Set([...Object.keys(labels), ...chosenBlocks(filters)])].slice(0, MAX_BLOCKS);
  const counted = { ...request, limit: 1, facets: ids.map((id) => `block:${id}`) };
  const blocks =
    ids.length > 0 ? ((await souk.products.list(counted).page()) as ProductPage).facets?.blocks : undefined;
  return {
    products: page.items,
    facets: { ...(page.facets ?? NO_FACETS), ...(blocks ? { blocks } : {}) },
    labels,
    filters,
    next: page.cursor,
    isFirst: !cursor,
  };
}

function choiceBlocks(products: ListedProduct[]): Record<string, string> {
  const blocks = products.flatMap((product) => product.blocks ?? []);
  const choices = blocks.filter(({ type }) => type === 'SELECT' || type === 'MULTI_SELECT');
  return Object.fromEntries(choices.map(({ id, label }) => [id, label ?? id]));
}

const chosenBlocks = ({ chosen }: Filters) =>
  chosen.flatMap(([name]) => (name.startsWith('block:') ? [name.slice('block:'.length)] : []));
