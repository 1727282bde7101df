/** Renders the page of a product or post with unsaved content. The page is only sent to the caller, and nothing is stored. */
import type { AppServices, Query } from '../context/index.ts';
import { getBusiness, StorefrontPreview } from '../domains/businesses/index.ts';
import { ProductChanges, previewProductDraft } from '../domains/catalog/index.ts';
import { EntryPreviewInput, previewEntryDraft } from '../domains/content/index.ts';
import { query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { BusinessRecordParams, BusinessSlugParams } from '../shared/schemas.ts';
import { type DraftPage, entryPage, productPage } from './overrides.ts';
import type { SiteServer } from './serve.ts';
import { previewClient } from './transport.ts';

export function draftPreviewRoutes(app: App, server: SiteServer, publicUrl: () => string): void {
  async function render(ctx: Query<AppServices>, { path, override }: DraftPage) {
    const row = await getBusiness(ctx, ctx.businessId);
    const address = { base: `/s/${encodeURIComponent(row.slug)}`, origin: new URL(publicUrl()).origin };
    const opened = await server.open(ctx, row, { address, path, query: new URLSearchParams() });
    const souk = previewClient(app, opened.module, ctx.businessId, override);
    return { html: await server.framedPreview({ ...opened, souk, site: { ...opened.site, preview: true } }) };
  }

  async function previewEntry(ctx: Query<AppServices>, input: EntryPreviewInput & { id: string }) {
    const { entry, collection } = await previewEntryDraft(ctx, input);
    return render(ctx, entryPage(collection, entry));
  }

  async function previewProduct(ctx: Query<AppServices>, input: { id: string; changes: ProductChanges }) {
    return render(ctx, productPage(await previewProductDraft(ctx, input)));
  }

  app.post(
    '/v1/businesses/:businessId/entries/:id/site-preview',
    {
      config: { access: 'CONTENT_READ', idempotent: false },
      schema: {
        tags: ['Entries'],
        operationId: 'previewEntryOnSite',
        summary: 'Preview an entry on the storefront',
        description:
          'Renders the entry page with unsaved blocks. The blocks are validated like a draft. Nothing is stored.',
        params: BusinessRecordParams,
        body: EntryPreviewInput,
        response: { 200: StorefrontPreview },
      },
    },
    (request) => query(request, previewEntry, { ...request.body, id: request.params.id }),
  );

  app.post(
    '/v1/businesses/:businessId/products/:id/site-preview',
    {
      config: { access: 'CATALOG_WRITE', idempotent: false },
      schema: {
        tags: ['Products'],
        operationId: 'previewProductOnSite',
        summary: 'Preview a product on the storefront',
        description: 'Renders the product page with unsaved changes. Nothing is stored.',
        params: BusinessSlugParams,
        body: ProductChanges,
        response: { 200: StorefrontPreview },
      },
    },
    (request) => query(request, previewProduct, { id: request.params.id, changes: request.body }),
  );
}
