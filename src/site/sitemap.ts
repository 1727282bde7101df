/** Sitemaps: an index, and parts of at most 50,000 URLs that are written while they are read. */
import type { Query } from '../context/index.ts';
import { listSitemapProducts, listSitemapStarts } from '../domains/catalog/index.ts';
import { escapeHtml } from '../shared/text/escape.ts';
import type { Site } from './contract.ts';

const MAX_URLS = 50_000;
const BATCH = 1000;

type Entry = { path: string; updatedAt?: number };

/** Records with a page each. Parts start after an ID. */
export type SitemapSource = {
  name: string;
  starts(ctx: Query, businessId: string, size: number): Promise<string[]>;
  list(ctx: Query, businessId: string, after: string): AsyncIterable<Entry>;
};

const products: SitemapSource = {
  name: 'products',
  starts: (ctx, businessId, size) => listSitemapStarts(ctx.db, businessId, size),
  async *list(ctx, businessId, after) {
    for (let last = after; ; ) {
      const rows = await listSitemapProducts(ctx.db, businessId, last, BATCH);
      for (const { slug, updatedAt } of rows) yield { path: `/products/${encodeURIComponent(slug)}`, updatedAt };
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
    }
  },
};

export const SOURCES: readonly SitemapSource[] = [products];

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const sizeOf = ({ locales }: Site) => Math.floor(MAX_URLS / locales.length);

export async function* writeSitemapIndex(ctx: Query, site: Site): AsyncGenerator<string> {
  const { origin, base } = site.canonical;
  const part = (file: string) => `<sitemap><loc>${escapeHtml(`${origin}${base}${file}`)}</loc></sitemap>\n`;
  yield `${HEAD}<sitemapindex ${NAMESPACE}>\n${part('/sitemap-pages.xml')}`;
  for (const { name, starts } of SOURCES) {
    yield part(`/sitemap-${name}.xml`);
    for (const id of await starts(ctx, site.businessId, sizeOf(site))) yield part(`/sitemap-${name}.xml?after=${id}`);
  }
  yield '</sitemapindex>\n';
}

/** `absolute` is the URL of a path in a language. */
type Absolute = (path: string, locale: string) => string;

export async function* writeSitemap(
  ctx: Query,
  site: Site,
  source: SitemapSource,
  after: string,
  absolute: Absolute,
): AsyncGenerator<string> {
  yield `${HEAD}<urlset ${NAMESPACE}>\n`;
  let left = sizeOf(site);
  let chunk = '';
  for await (const entry of source.list(ctx, site.businessId, after)) {
    if (left-- === 0) break;
    chunk += writeEntry(entry, site, absolute);
    if (chunk.length < 16_384) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}</urlset>\n`;
}

function writeEntry({ path, updatedAt }: Entry, { locales }: Site, absolute: Absolute): string {
  const changed = updatedAt ? `<lastmod>${new Date(updatedAt * 1000).toISOString()}</lastmod>` : '';
  return locales.map((locale) => `<url><loc>${escapeHtml(absolute(path, locale))}</loc>${changed}</url>\n`).join('');
}

/** Pages that are no records: the home page, the list of products and legal pages. */
export const pagesSource = (site: Site): SitemapSource => ({
  name: 'pages',
  starts: async () => [],
  async *list() {
    yield { path: '/' };
    yield { path: '/products' };
    for (const name of Object.keys(site.config.legal ?? {})) yield { path: `/pages/${name}` };
  },
});
