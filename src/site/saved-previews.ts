/** Shows a saved draft at the URL of its page, to anyone with the token: `?preview=`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppServices, Query } from '../context/index.ts';
import type { BusinessRow } from '../domains/businesses/index.ts';
import { type Entry, getPublicCollection } from '../domains/content/index.ts';
import { openPreview } from '../domains/publishing/index.ts';
import { query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { sendNotFound } from '../pages/page.ts';
import { notFound, ServiceError } from '../shared/errors.ts';
import { entryPage, productPage } from './overrides.ts';
import { type SiteServer, setPersonalHeaders } from './serve.ts';
import type { SiteRequest } from './sites.ts';
import { previewClient } from './transport.ts';

export function createSavedPreviews(app: App, server: SiteServer, publicUrl: () => string) {
  async function find(ctx: Query<AppServices>, businessId: string, token: string) {
    const preview = await openPreview(ctx, token);
    if (preview.businessId !== businessId) throw notFound('Preview');
    const record = JSON.parse(preview.json.toString());
    if (preview.kind === 'product') return productPage(record);
    return entryPage(await getPublicCollection(ctx.within(businessId), record as Entry), record);
  }

  async function show(ctx: Query<AppServices>, reply: FastifyReply, row: BusinessRow, request: SiteRequest) {
    const token = request.query.get('preview')!;
    const draft = await find(ctx, row.id, token).catch((error) => {
      if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return null;
      throw error;
    });
    if (!draft && !row.configs.storefront?.enabled) return sendNotFound(reply);
    reply.header('x-robots-tag', 'noindex');
    setPersonalHeaders(reply, publicUrl());
    const opened = await server.open(ctx, row, request);
    if (!draft) return reply.code(404).send(await server.preview({ ...opened, isUnknown: true }));
    const { path, override } = draft;
    // A link without the draft's path redirects to the draft's page.
    if (opened.path !== path) return reply.redirect(`${request.address.base}${path}?preview=${token}`, 303);
    const souk = previewClient(app, opened.module, row.id, override);
    return reply.send(await server.preview({ ...opened, souk, site: { ...opened.site, preview: true } }));
  }

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    row: BusinessRow,
    requested: SiteRequest,
  ): Promise<FastifyReply> => query(request, (ctx: Query<AppServices>) => show(ctx, reply, row, requested), undefined);
}
