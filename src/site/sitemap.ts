/** Sitemaps: an index, and parts of at most 50,000 URLs, which are streamed. */
import type { Site } from '../../storefront/contract.ts';
import type { Query } from '../context/index.ts';
import { escapeHtml } from '../shared/text/escape.ts';
import { type Entry, type SitemapSource, SOURCES } from './sitemap-sources.ts';

const MAX_URLS = 50_000;
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const sizeOf = ({ locales }: Site) => Math.floor(MAX_URLS / locales.length);

export async function* writeSitemapIndex(ctx: Query, site: Site): AsyncGenerator<string> {
  const { origin, base } = site.canonical;
  const part = (file: string) => `<sitemap><loc>${escapeHtml(`${origin}${base}${file}`)}</loc></sitemap>\n`;
  yield `${HEAD}<sitemapindex ${NAMESPACE}>\n${part('/sitemap-pages.xml')}`;
  for (const { name, nextStart } of SOURCES) {
    const next = (after: string) => nextStart(ctx, site.businessId, after, sizeOf(site));
    yield part(`/sitemap-${name}.xml`);
    for (let id = await next(''); id !== null; id = await next(id)) yield part(`/sitemap-${name}.xml?after=${id}`);
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

function writeEntry(
  { path, paths = {}, updatedAt, locale: only }: Entry,
  { locales }: Site,
  absolute: Absolute,
): string {
  const changed = updatedAt ? `<lastmod>${new Date(updatedAt * 1000).toISOString()}</lastmod>` : '';
  const urlOf = (locale: string) => absolute(paths[locale] ?? path, locale);
  const shown = only && locales.includes(only) ? [only] : locales;
  return shown.map((locale) => `<url><loc>${escapeHtml(urlOf(locale))}</loc>${changed}</url>\n`).join('');
}
