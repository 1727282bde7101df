/** Handles the requests to a storefront. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from '../../client/src/index.ts';
import type { Loaded, Served, Shown, Site, Visit } from '../../storefront/contract.ts';
import type { Assets, SiteModule } from '../../storefront/module.ts';
import type { Bundles } from '../bundles/index.ts';
import type { AppServices, Query } from '../context/index.ts';
import type { BusinessRow } from '../domains/businesses/index.ts';
import { findFeedState } from '../domains/events/index.ts';
import type { App } from '../http/server.ts';
import { acceptsBrotli, matchesTag } from '../shared/headers.ts';
import { loadPage } from './failed-calls.ts';
import { type CachedPage, createPageCache } from './page-cache.ts';
import { hashOf, PRIVATE_CACHE, PUBLIC_CACHE, policyOf } from './policy.ts';
import type { Place, Sessions } from './session.ts';
import { createSites, localesOf, requestedMarket, type SiteRequest, splitLocale } from './sites.ts';
import { anonymousClient } from './transport.ts';

export type SiteOptions = {
  bundles: Bundles;
  loadModule: () => Promise<SiteModule>;
  sessions: Sessions;
  publicUrl: () => string;
  isDemo: (businessId: string) => boolean;
  /** The new path, including the language, of a page whose record got a new slug. */
  findRedirect: (businessId: string, path: string) => Promise<string | null>;
  /** Whether the page of a path is gone permanently. */
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
  page: Served;
  params: Record<string, string>;
  /** Whether no page has this path. */
  isUnknown: boolean;
  assets: Assets;
  /** Changes with the sources and the settings. */
  version: string;
  souk: Client;
  place: Place;
};

export function createSiteServer(app: App, options: SiteOptions) {
  const { bundles, loadModule, publicUrl } = options;
  const pages = createPageCache((businessId) => findFeedState(app.contexts.system().quick, businessId));
  const siteOf = createSites({ isDemo: options.isDemo, stateOf: pages.stateOf });
  const clients = new WeakMap<SiteModule, Map<string, Client>>();
  bundles.onChange?.(pages.clear);

  function clientOf(module: SiteModule, businessId: string): Client {
    const known = clients.get(module) ?? new Map<string, Client>();
    clients.set(module, known);
    const client = known.get(businessId) ?? anonymousClient(app, module, businessId);
    if (known.size > 1000) known.clear();
    known.set(businessId, client);
    return client;
  }

  async function open(ctx: Query<AppServices>, row: BusinessRow, request: SiteRequest): Promise<Opened> {
    const [module, bundle, server] = await Promise.all([loadModule(), bundles.get('storefront'), bundles.get('site')]);
    const { locale, path } = splitLocale(request.path, localesOf(row));
    const souk = clientOf(module, row.id);
    const site = await siteOf(ctx, module, row, { ...request, locale }, souk);
    const found = module.findPage(path);
    return {
      module,
      site,
      path,
      fullPath: request.path,
      query: request.query,
      souk,
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

  /** The cache key of a URL, without unknown parameters, which ads and attackers add. Only its last part can contain a space. */
  async function keyOf(row: BusinessRow, { address, path, query }: SiteRequest): Promise<string> {
    const place = `${row.id} ${row.version} ${address.origin} ${address.base}`;
    if (query.size === 0) return `${place}   ${path}`;
    const module = await loadModule();
    const page = module.findPage(splitLocale(path, localesOf(row)).path)?.page ?? null;
    const market = encodeURIComponent(requestedMarket(row, query)?.id ?? '');
    return `${place} ${market} ${module.knownQuery(page, query)} ${path}`;
  }

  /** The cached page for a URL. Null if there is none or it is outdated. */
  const findCached = async (row: BusinessRow, request: SiteRequest): Promise<CachedPage | null> =>
    pages.find(row.id, await keyOf(row, request));

  /** A page that is the same for everyone. */
  async function cached(row: BusinessRow, request: SiteRequest, opened: Opened): Promise<CachedPage> {
    const { site, path, version } = opened;
    return pages.get(row.id, await keyOf(row, request), async (known) => {
      const loaded = opened.isUnknown ? { status: 404 as const } : await loadPage(opened.page, anonymousVisit(opened));
      const final = await settle(opened, loaded);
      if ('location' in final) {
        const { location, status } = final;
        return {
          hash: hashOf(location),
          html: Buffer.alloc(0),
          brotli: null,
          location,
          status,
          headers: headersOf(final.status, row.id),
        };
      }
      const { page, shown, status } = final;
      const hash = hashOf(`${version} ${status} ${JSON.stringify(shown)}`);
      if (known?.hash === hash) return known;
      const visit = anonymousVisit(opened);
      const html = opened.module.renderPage({ page, site, visit, path, shown, assets: opened.assets });
      const headers = { ...headersOf(status, row.id, shown.keys), etag: `W/"${hash}"` };
      return { hash, status, html: Buffer.from(html), brotli: null, headers, location: null };
    });
  }

  const headersOf = (status: number, businessId: string, shown: string[] = []) => {
    const keys = [`business:${businessId}`, ...shown];
    return {
      ...pageHeaders(publicUrl(), false),
      'cache-control': status === 200 ? PUBLIC_CACHE : 'public, max-age=0, s-maxage=10',
      'surrogate-key': keys.join(' '),
      'cache-tag': keys.join(','),
      vary: 'accept-encoding',
    };
  };

  type Final = { page: Served; shown: Shown<unknown>; status: number } | { location: string; status: number };

  /** Turns the result of a page into a response. If a record is missing, it may have moved to a new path. */
  async function settle(opened: Opened, loaded: Loaded<unknown>): Promise<Final> {
    const { module, site, page, path, fullPath } = opened;
    if ('file' in loaded) throw new Error(`${path} is not a personal page, so it can't send a file.`);
    if (module.isRedirect(loaded)) return { location: targetOf(module, site, loaded.redirect), status: loaded.status };
    if (!module.isMissing(loaded)) return { page, shown: loaded, status: loaded.status ?? 200 };
    const moved = await options.findRedirect(site.businessId, fullPath);
    if (moved !== null) return { location: await newLocation(opened, moved), status: 301 };
    const status = (await options.isGone(site.businessId, path)) ? 410 : loaded.status;
    return { page: module.problem, shown: module.showMissing(site, status), status };
  }

  /** The slug in a new path may be the one of the default language. Its page then redirects to the slug of its own language. */
  async function newLocation(opened: Opened, moved: string): Promise<string> {
    const { module, site } = opened;
    const { locale, path } = splitLocale(moved, site.locales);
    const isTranslated = locale === site.locale && locale !== site.locales[0];
    const found = isTranslated ? module.findPage(path) : null;
    const loaded =
      found && !found.page.personal ? await loadPage(found.page, anonymousVisit({ ...opened, ...found, path })) : null;
    if (loaded && module.isRedirect(loaded)) return targetOf(module, site, loaded.redirect);
    return targetOf(module, { ...site, locale: site.locales[0]! }, moved);
  }

  async function sendCached(request: FastifyRequest, reply: FastifyReply, page: CachedPage): Promise<FastifyReply> {
    const { headers, location, status, html } = page;
    reply.headers(headers);
    if (location !== null) return reply.redirect(location, status);
    if (status === 200 && matchesTag(request.headers['if-none-match'], headers.etag!)) return reply.code(304).send();
    reply.code(status);
    if (!acceptsBrotli(request.headers['accept-encoding'])) return reply.send(html);
    return reply.header('content-encoding', 'br').send(await pages.compressed(page));
  }

  /** Personal pages are not part of a preview. */
  async function preview(opened: Opened): Promise<string> {
    const { module, site, path, assets, page: requested } = opened;
    const isMissing = opened.isUnknown || requested.personal;
    const visit = anonymousVisit(opened);
    const loaded = isMissing ? { status: 404 as const } : await loadPage(requested, visit);
    const missing = { page: module.problem, shown: module.showMissing(site, 404) };
    const { page, shown } = 'data' in loaded ? { page: requested, shown: loaded } : missing;
    return module.renderPage({ page, site, visit, path, shown, assets });
  }

  /** A preview for the frame in the admin, which runs no scripts. */
  const framedPreview = (opened: Opened): Promise<string> =>
    preview({ ...opened, assets: { ...opened.assets, script: null, preloads: [], reloads: false } });

  return { open, settle, findCached, cached, sendCached, preview, framedPreview, expire: pages.expire };
}

export type SiteServer = ReturnType<typeof createSiteServer>;

/** Pages that are not personal have no visitor. */
function anonymousVisit({ module, page, site, souk, params, query, path }: Opened): Visit {
  const refuse = () => {
    throw new Error(`${path} is not a personal page, so it has no session.`);
  };
  return {
    site,
    souk,
    params,
    query: module.knownQuery(page, query),
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
const targetOf = (module: SiteModule, site: Site, to: string) => (/^https?:\/\//.test(to) ? to : module.link(site, to));

const pageHeaders = (publicUrl: string, isPersonal: boolean) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyOf(publicUrl, isPersonal),
  // Without a referrer, browsers would send forms with the origin `null`.
  'referrer-policy': 'strict-origin-when-cross-origin',
});

export function setPersonalHeaders(reply: FastifyReply, publicUrl: string): void {
  reply.headers(pageHeaders(publicUrl, true)).header('cache-control', PRIVATE_CACHE);
}
