import type { AppServices, Query } from '../context/index.ts';
import {
  checkStorefront,
  completeStorefront,
  getBusiness,
  prepareLegal,
  StorefrontPreview,
  StorefrontPreviewInput,
} from '../domains/businesses/index.ts';
import { query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { invalid } from '../shared/errors.ts';
import { BusinessParams } from '../shared/schemas.ts';
import type { SiteServer } from './serve.ts';

/** Renders pages with settings that are not saved yet. */
export function previewRoute(app: App, server: SiteServer, publicUrl: () => string): void {
  const preview = async (ctx: Query<AppServices>, { storefront, path = '/' }: StorefrontPreviewInput) => {
    const errors = checkStorefront({ storefront });
    if (errors.length > 0) throw invalid(errors);
    const { sanitize } = await prepareLegal(ctx.businessId, storefront);
    const row = await getBusiness(ctx, ctx.businessId);
    const { hosts } = row.configs.storefront ?? {};
    const configs = {
      ...row.configs,
      storefront: { ...completeStorefront(storefront, sanitize), ...(hosts && { hosts }) },
    };
    const { pathname, searchParams } = new URL(path, 'http://site');
    const address = { base: `/s/${encodeURIComponent(row.slug)}`, origin: new URL(publicUrl()).origin };
    const request = { address, path: pathname, query: searchParams };
    const opened = await server.open(ctx, { ...row, configs }, request);
    return { html: await server.framedPreview({ ...opened, site: { ...opened.site, preview: true } }) };
  };

  app.post(
    '/v1/businesses/:businessId/storefront/preview',
    {
      config: { access: 'BUSINESS_WRITE', idempotent: false },
      schema: {
        tags: ['Businesses'],
        operationId: 'previewStorefront',
        summary: 'Preview the storefront',
        description: 'Renders a page of the storefront with unsaved settings. Nothing is stored.',
        params: BusinessParams,
        body: StorefrontPreviewInput,
        response: { 200: StorefrontPreview },
      },
    },
    (request) => query(request, preview, request.body),
  );
}
