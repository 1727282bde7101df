/** Files of a site other than pages: theme, icon, sitemaps, robots.txt and feeds. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppServices, Query } from '../context/index.ts';
import { query } from '../http/command.ts';
import { isFeed, sendFeed } from './feeds.ts';
import { createFileStreams } from './file-streams.ts';
import type { Opened } from './serve.ts';
import { writeSitemap, writeSitemapIndex } from './sitemap.ts';
import { pagesSource, SOURCES } from './sitemap-sources.ts';

type Send = (ctx: Query<AppServices>, reply: FastifyReply, opened: Opened) => FastifyReply | Promise<FastifyReply>;

const THEME = /^\/theme-[a-z0-9-]+\.css$/;
export const isTheme = (path: string) => THEME.test(path);
const SITEMAP = /^\/sitemap-([a-z]+)\.xml$/;

export function createFiles() {
  const stream = createFileStreams();

  const theme: Send = (_ctx, reply, { module, path }) => {
    const styles = module.themeStyles(path.slice(1));
    if (styles === null) return reply.code(404).send();
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return reply.header('content-type', 'text/css; charset=utf-8').send(styles);
  };

  const icon: Send = (_ctx, reply, { module, site }) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .header('content-type', 'image/svg+xml')
      .send(module.siteIcon(site));

  const robots: Send = (_ctx, reply, { site }) => {
    const { origin, base } = site.canonical;
    // Crawlers have no cart, so the checkout redirects them to the cart page.
    const closed = ['/cart', '/account', '/login', '/thanks'].map((path) => `Disallow: ${base}${path}`);
    const lines = ['User-agent: *', ...closed, '', `Sitemap: ${origin}${base}/sitemap.xml`];
    reply
      .header('cache-control', 'public, max-age=0, s-maxage=3600')
      .header('content-type', 'text/plain; charset=utf-8');
    return reply.send(`${lines.join('\n')}\n`);
  };

  const sitemap: Send = (ctx, reply, { module, site, path, query: parameters }) => {
    const name = SITEMAP.exec(path)?.[1];
    if (name === undefined) return stream(reply, site.businessId, XML, writeSitemapIndex(ctx, site));
    const source = name === 'pages' ? pagesSource(site) : SOURCES.find((each) => each.name === name);
    if (!source) return reply.code(404).send();
    const absolute = (to: string, locale: string) => module.absolute(site, to, locale);
    return stream(
      reply,
      site.businessId,
      XML,
      writeSitemap(ctx, site, source, parameters.get('after') ?? '', absolute),
    );
  };

  const feed: Send = (_ctx, reply, { module, site, souk }) =>
    stream(reply, site.businessId, XML, module.writeProductFeed(site, souk));

  function find(path: string): Send | null {
    if (isTheme(path)) return theme;
    if (path === '/icon.svg') return icon;
    if (path === '/robots.txt') return robots;
    if (path === '/sitemap.xml' || SITEMAP.test(path)) return sitemap;
    if (path === '/feeds/products.xml') return feed;
    if (isFeed(path)) return sendFeed;
    return null;
  }

  return {
    has: ({ path }: Opened) => find(path) !== null,
    send: (request: FastifyRequest, reply: FastifyReply, opened: Opened) =>
      query(request, async (ctx: Query<AppServices>) => find(opened.path)!(ctx, reply, opened), undefined),
  };
}

const XML = 'application/xml; charset=utf-8';
