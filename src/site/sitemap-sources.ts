/** The records that a sitemap lists. */
import type { Site } from '../../storefront/contract.ts';
import type { Query } from '../context/index.ts';
import {
  findSitemapStart,
  listSitemapCategories,
  listSitemapProducts,
  type SitemapRow,
} from '../domains/catalog/index.ts';
import { findSitemapEntryStart, listSitemapEntries } from '../domains/content/index.ts';

const BATCH = 1000;

/** `paths`: the paths in languages with their own slug. `locale`: the only language, if there is just one. */
export type Entry = { path: string; paths?: Record<string, string>; updatedAt?: number; locale?: string };

function entryOf(folder: string, { slug, slugs, updatedAt }: SitemapRow): Entry {
  const pathOf = (each: string) => `/${folder}/${encodeURIComponent(each)}`;
  const paths = Object.fromEntries(Object.entries(slugs ?? {}).map(([locale, each]) => [locale, pathOf(each)]));
  return { path: pathOf(slug), paths, updatedAt };
}

/** Records with a page each. Parts start after an ID. */
export type SitemapSource = {
  name: string;
  /** Returns the start of the part that follows the one starting at `after`. Null if there are no more parts. */
  nextStart(ctx: Query, businessId: string, after: string, size: number): Promise<string | null>;
  list(ctx: Query, businessId: string, after: string): AsyncIterable<Entry>;
};

const products: SitemapSource = {
  name: 'products',
  nextStart: (ctx, businessId, after, size) => findSitemapStart(ctx.db, businessId, after, size),
  async *list(ctx, businessId, after) {
    for (let last = after; ; ) {
      const rows = await listSitemapProducts(ctx.db, businessId, last, BATCH);
      for (const row of rows) yield entryOf('products', row);
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
    }
  },
};

const categories: SitemapSource = {
  name: 'categories',
  nextStart: async () => null,
  async *list(ctx, businessId) {
    for (const row of await listSitemapCategories(ctx.db, businessId)) yield entryOf('categories', row);
  },
};

const entries: SitemapSource = {
  name: 'entries',
  nextStart: (ctx, businessId, after, size) => findSitemapEntryStart(ctx.db, businessId, after, size),
  async *list(ctx, businessId, after) {
    for (let last = after; ; ) {
      const rows = await listSitemapEntries(ctx.db, businessId, last, BATCH);
      for (const { collection, slug, locale, updatedAt } of rows)
        yield { path: `/${encodeURIComponent(collection)}/${encodeURIComponent(slug)}`, locale, updatedAt };
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
    }
  },
};

export const SOURCES: readonly SitemapSource[] = [products, categories, entries];

/** Pages without a record: the home page, the list of products and legal pages. */
export const pagesSource = (site: Site): SitemapSource => ({
  name: 'pages',
  nextStart: async () => null,
  async *list() {
    yield { path: '/' };
    yield { path: '/products' };
    for (const name of Object.keys(site.config.legal ?? {})) yield { path: `/pages/${name}` };
  },
});
