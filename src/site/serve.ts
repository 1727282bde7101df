/** Answers the requests of a storefront. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bundles } from '../bundles/index.ts';
import type { AppServices, Query } from '../context/index.ts';
import type { BusinessRow } from '../domains/businesses/index.ts';
import { findFeedState } from '../domains/events/index.ts';
import type { App } from '../http/server.ts';
import type { Assets, Loaded, Shown, Site, SiteClient, SiteModule, SitePage, Visit } from './contract.ts';
import { type CachedPage, createPageCache } from './page-cache.ts';
import { hashOf, PRIVATE_CACHE, PUBLIC_CACHE, policyOf } from './policy.ts';
import type { Place, Sessions } from './session.ts';
import { buildSite, localesOf, type SiteRequest, splitLocale } from './sites.ts';
import { anonymousClient } from './transport.ts';

/** Hosts, languages and markets of one site. */
const MAX_SITES = 200;

export type SiteOptions = {
  bundles: Bundles;
  loadModule: () => Promise<SiteModule>;
  sessions: Sessions;
  publicUrl: () => string;
  isDemo: (businessId: string) => boolean;
  /** Where a path of the site, with its language, leads since its record has another slug. */
  findRedirect: (businessId: string, path: string) => Promise<string | null>;
  /** Whether the page of a path was withdrawn for good. */
  isGone: (businessId: string, path: string) => Promise<boolean>;
};

export type Opened = {
  module: SiteModule;
  site: Site;
  /** The path without the language. */
  path: string;
  /** The path with the language. */
  fullPath: string;
  query: URLSearchParams;
  page: SitePage;
  params: Record<string, string>;
  /** Whether no page has this path. */
  isUnknown: boolean;
  assets: Assets;
  /** Changes with the sources and the settings. */
  version: string;
  souk: SiteClient;
  place: Place;
};

export function createSiteServer(app: App, options: SiteOptions) {
  const { bundles, loadModule, publicUrl } = options;
  const pages = createPageCache((businessId) => findFeedState(app.contexts.system().quick, businessId));
  const sites = new WeakMap<BusinessRow, Map<string, Promise<Site>>>();
  const clients = new WeakMap<SiteModule, Map<string, SiteClient>>();

  function clientOf(module: SiteModule, businessId: string): SiteClient {
    const known = clients.get(module) ?? new Map<string, SiteClient>();
    clients.set(module, known);
    const client = known.get(businessId) ?? anonymousClient(app, module, businessId);
    if (known.size > 1000) known.clear();
    known.set(businessId, client);
    return client;
  }

  /** Settings change rarely, so the site is built once for each version of the business. */
  async function siteOf(
    ctx: Query<AppServices>,
    module: SiteModule,
    row: BusinessRow,
    request: SiteRequest & { locale: string },
    souk: SiteClient,
  ): Promise<Site> {
    const { address, locale, query } = request;
    const key = [address.origin, address.base, locale, query.get('market')?.slice(0, 64)].join(' ');
    const known = sites.get(row) ?? new Map<string, Promise<Site>>();
    sites.set(row, known);
    const site =
      known.get(key) ?? buildSite(ctx, module, row, { ...request, findMarket: () => findMarket(souk) }, options);
    // A business without markets gets one with its first price.
    const isFinal = (row.configs.markets?.length ?? 0) > 0 && known.size < MAX_SITES;
    if (isFinal) known.set(key, site);
    return site;
  }

  async function open(ctx: Query<AppServices>, row: BusinessRow, request: SiteRequest): Promise<Opened> {
    const [module, bundle, server] = await Promise.all([loadModule(), bundles.get('storefront'), bundles.get('site')]);
    const { locale, path } = splitLocale(request.path, localesOf(row));
    const souk = clientOf(module, row.id);
    const site = await siteOf(ctx, module, row, { ...request, locale }, souk);
    const found = module.findPage(path);
    return {
      ...{ module, site, path, fullPath: request.path, query: request.query, souk },
      page: found?.page ?? module.problem,
      params: found?.params ?? {},
      isUnknown: found === null,
      assets: {
        script: bundle.script,
        preloads: bundle.preloads,
        styles: bundle.styles,
        reloads: bundles.onChange !== null,
      },
      version: `${row.version} ${bundle.script} ${server.script}`,
      place: { businessId: row.id, base: site.base, isHttps: site.origin.startsWith('https:') },
    };
  }

  /** A page that is the same for everyone. */
  async function cached(opened: Opened): Promise<CachedPage> {
    const { site, path, query, version } = opened;
    const key = [site.businessId, version, site.origin, site.base, site.locale, site.market.id, path, query].join(' ');
    return pages.get(site.businessId, key, async (known) => {
      const loaded = opened.isUnknown ? { status: 404 as const } : await opened.page.load(anonymousVisit(opened));
      const final = await settle(opened, loaded);
      if ('location' in final) {
        return { hash: hashOf(final.location), html: Buffer.alloc(0), brotli: null, keys: [], ...final };
      }
      const { page, shown, status } = final;
      const hash = hashOf(`${version} ${status} ${JSON.stringify(shown)}`);
      if (known?.hash === hash) return known;
      const visit = { csrf: '', session: null, query };
      const html = opened.module.renderPage({ page, site, visit, path, shown, assets: opened.assets });
      return { hash, status, html: Buffer.from(html), brotli: null, keys: shown.keys ?? [], location: null };
    });
  }

  type Final = { page: SitePage; shown: Shown; status: number } | { location: string; status: number };

  /** Turns the result of a page into what is sent. A missing record may have a new address. */
  async function settle({ module, site, page, path, fullPath }: Opened, loaded: Loaded): Promise<Final> {
    if (module.isRedirect(loaded)) return { location: targetOf(module, site, loaded.redirect), status: loaded.status };
    if (!module.isMissing(loaded)) return { page, shown: loaded, status: loaded.status ?? 200 };
    const moved = await options.findRedirect(site.businessId, fullPath);
    if (moved !== null) return { location: moved.startsWith('/') ? site.base + moved : moved, status: 301 };
    const status = (await options.isGone(site.businessId, path)) ? 410 : loaded.status;
    return { page: module.problem, shown: module.showMissing(site, status), status };
  }

  async function sendCached(request: FastifyRequest, reply: FastifyReply, opened: Opened): Promise<FastifyReply> {
    const page = await cached(opened);
    const etag = `W/"${page.hash}"`;
    setHeaders(reply, publicUrl(), false);
    const keys = [`business:${opened.site.businessId}`, ...page.keys];
    reply.header('cache-control', page.status === 200 ? PUBLIC_CACHE : 'public, max-age=0, s-maxage=10');
    reply.header('surrogate-key', keys.join(' ')).header('cache-tag', keys.join(',')).header('vary', 'accept-encoding');
    if (page.location !== null) return reply.redirect(page.location, page.status);
    reply.header('etag', etag).code(page.status);
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(page.html);
    return reply.header('content-encoding', 'br').send(await pages.compressed(page));
  }

  /** Personal pages are not part of a preview. */
  async function preview(opened: Opened): Promise<string> {
    const { module, site, path, query, assets, page: asked } = opened;
    const isMissing = opened.isUnknown || asked.personal;
    const loaded = isMissing ? { status: 404 as const } : await asked.load(anonymousVisit(opened));
    const missing = { page: module.problem, shown: module.showMissing(site, 404) };
    const { page, shown } = 'data' in loaded ? { page: asked, shown: loaded } : missing;
    return module.renderPage({ page, site, visit: { csrf: '', session: null, query }, path, shown, assets });
  }

  return { open, settle, sendCached, preview, expire: pages.expire };
}

export type SiteServer = ReturnType<typeof createSiteServer>;

/** Pages that are not personal don't know who visits. */
function anonymousVisit({ site, souk, params, query, path }: Opened): Visit {
  const refuse = () => {
    throw new Error(`${path} is not a personal page, so it has no session.`);
  };
  return {
    site,
    souk,
    params,
    query,
    path,
    session: null,
    setSession: refuse,
    csrf: '',
    begin: async () => refuse(),
    own: refuse,
    withToken: refuse,
  };
}

/** A path of the site, or a full URL. */
export const targetOf = (module: SiteModule, site: Site, to: string) =>
  /^https?:\/\//.test(to) ? to : module.link(site, to);

export function setHeaders(reply: FastifyReply, publicUrl: string, isPersonal: boolean): void {
  reply.header('content-type', 'text/html; charset=utf-8');
  reply.header('content-security-policy', policyOf(publicUrl, isPersonal));
  // Without a referrer, browsers would send forms with the origin `null`.
  reply.header('referrer-policy', 'strict-origin-when-cross-origin');
  if (isPersonal) reply.header('cache-control', PRIVATE_CACHE);
}

type Priced = {
  products: { list(query: object): { take(max: number): Promise<{ variants: { pricing: Prices }[] }[]> } };
};
type Prices = { markets: { marketId: string; currency: string }[] };

/** The market of the first price, for a business without markets. */
async function findMarket(souk: SiteClient) {
  const [product] = await (souk as unknown as Priced).products.list({ limit: 1 }).take(1);
  const price = product?.variants[0]?.pricing.markets[0];
  return price ? { id: price.marketId, currency: price.currency } : null;
}
