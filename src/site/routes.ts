/** The routes of all storefronts: under /s/{slug}, and everything on their own hosts. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppServices, Query } from '../context/index.ts';
import { type BusinessRow, findBusinessById, findBySlug } from '../domains/businesses/index.ts';
import { query } from '../http/command.ts';
import { errorResponse } from '../http/errors.ts';
import type { App } from '../http/server.ts';
import { sendNotFound } from '../pages/page.ts';
import { withoutEnd } from '../shared/text/text.ts';
import { draftPreviewRoutes } from './draft-previews.ts';
import { refusedStatus } from './failed-calls.ts';
import { createFiles, isTheme } from './files.ts';
import { createPersonalPages } from './personal.ts';
import { previewRoute } from './preview.ts';
import { createSavedPreviews } from './saved-previews.ts';
import { createSiteServer, type SiteOptions, setPersonalHeaders } from './serve.ts';
import type { Address } from './sites.ts';

/** Requests to a storefront host are routed to this prefix: see `siteUrl`. */
const OWN_HOST = '/_site';
/** The service's own paths, which are available on every host. */
const SHARED = /^\/(v1|assets|media|dev)\/|^\/pages\/[\w-]+\.(css|js|svg)$|^\/(healthz|readyz)$/;
/** Pages that emails link to. Their paths start with the business: a host shows only the pages of its own business. */
const MAILED = /^\/(?:order|newsletter)\/([^./]+)\./;
/** PostgreSQL can't store this character, so no business and no page can have it. */
const IMPOSSIBLE = '\0';
const FORM_BYTES = 65_536;

/** The URL that a request is routed by. */
export function siteUrl(
  { url = '/', headers }: IncomingMessage,
  ownerOf: (host: string) => string | undefined,
): string {
  const owner = ownerOf(hostOf(headers.host));
  const [path = ''] = url.split('?');
  const isService = owner === undefined || SHARED.test(path) || MAILED.exec(path)?.[1] === owner;
  if (isService) return path.startsWith('/s/') ? decodable(url, path) : url;
  return OWN_HOST + decodable(url, path);
}

/** The router rejects a path that can't be decoded. With its percent signs encoded, it leads to the 404 page of the site. */
function decodable(url: string, path: string): string {
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

export type SiteRoutes = {
  /** Shows a page of the site under /s/{slug}. */
  show(request: FastifyRequest, reply: FastifyReply, slug: string, path: string): Promise<FastifyReply>;
  /** Pages of this business may have changed. */
  expire(businessId: string): void;
};

const hostOf = (host = '') => host.toLowerCase().replace(/:(80|443)$/, '');

export function siteRoutes(app: App, options: SiteOptions): SiteRoutes {
  const server = createSiteServer(app, options);
  const personal = createPersonalPages(app, server, options);
  const showDraft = createSavedPreviews(app, server, options.publicUrl);
  const files = createFiles();
  previewRoute(app, server, options.publicUrl);
  draftPreviewRoutes(app, server, options.publicUrl);

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    row: BusinessRow | null,
    address: Address,
    rest: string,
  ) {
    if (!row || rest.includes(IMPOSSIBLE)) return sendNotFound(reply);
    const isGet = request.method === 'GET';
    const path = `/${withoutEnd(rest, '/')}`;
    const requested = { address, path, query: queryOf(request) };
    const isDraft = isGet && requested.query.has('preview');
    const known = isGet && !isDraft ? await server.findCached(row, requested) : null;
    if (known) return server.sendCached(request, reply, known);
    await app.waitForBusiness(request, reply, row.id);
    if (isDraft) return showDraft(request, reply, row, requested);
    // The theme is part of the preview of a storefront that is still closed.
    if (!row.configs.storefront?.enabled && !isTheme(path)) return sendNotFound(reply);
    const opened = await query(request, (ctx: Query<AppServices>) => server.open(ctx, row, requested), undefined);
    try {
      if (request.method === 'POST') return await personal.act(request, reply, opened);
      if (files.has(opened)) return await files.send(request, reply, opened);
      if (opened.page.personal) return await personal.show(request, reply, opened);
      return await server.sendCached(request, reply, await server.cached(row, requested, opened));
    } catch (error) {
      const status = refusedStatus(error, reply) ?? errorResponse(error, request, reply).status;
      const { module, site, assets } = opened;
      setPersonalHeaders(reply, options.publicUrl());
      const shown = module.showFailure(site);
      const visit = { csrf: '', session: null, query: opened.query };
      const html = module.renderPage({ page: module.problem, site, visit, path: opened.path, shown, assets });
      return reply.code(status).send(html);
    }
  }

  const below = async (request: FastifyRequest, reply: FastifyReply, slug: string, rest: string) => {
    if (slug.includes(IMPOSSIBLE)) return sendNotFound(reply);
    const row = await query(request, (ctx: Query<AppServices>) => findBySlug(ctx, slug), undefined);
    const origin = originOf(request, options.publicUrl());
    return answer(request, reply, row, { base: `/s/${encodeURIComponent(slug)}`, origin }, rest);
  };

  const onOwnHost = async (request: FastifyRequest, reply: FastifyReply) => {
    const host = hostOf(request.headers.host);
    const owner = app.contexts.system().businesses.hosts.ownerOf(host);
    const row = owner
      ? await query(request, (ctx: Query<AppServices>) => findBusinessById(ctx, owner), undefined)
      : null;
    const { protocol } = new URL(options.publicUrl());
    const isListed = row?.configs.storefront?.hosts?.includes(host) ?? false;
    const { '*': rest = '' } = request.params as { '*'?: string };
    return answer(request, reply, isListed ? row : null, { base: '', origin: `${protocol}//${host}` }, rest);
  };

  app.register((pages, _options, done) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    );
    const open = { config: { access: 'public' as const } };
    for (const method of ['GET', 'POST'] as const) {
      for (const url of ['/s/:slug', '/s/:slug/*']) {
        pages.route({
          method,
          url,
          ...open,
          handler: (request, reply) => {
            const { slug, '*': rest = '' } = request.params as { slug: string; '*'?: string };
            return below(request, reply, slug, rest);
          },
        });
      }
      for (const url of [OWN_HOST, `${OWN_HOST}/*`]) pages.route({ method, url, ...open, handler: onOwnHost });
    }
    done();
  });

  return { show: below, expire: server.expire };
}

function queryOf({ raw: { url = '' } }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at).replaceAll('%00', ''));
}

/** In development, the host name may differ from `publicUrl`: forms come from the one that was used. */
function originOf({ headers }: FastifyRequest, publicUrl: string): string {
  const { protocol, origin } = new URL(publicUrl);
  return protocol === 'http:' && headers.host ? `http://${headers.host}` : origin;
}
