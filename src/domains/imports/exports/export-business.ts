/**
 * Exports a whole business as NDJSON, one `{kind, data}` record per line. Records only refer to earlier records. The last
 * line contains the record count: a file without it is truncated.
 */
import { listMembersForExport } from '../../accounts/index.ts';
import {
  exportCustomer,
  findSender,
  getBusiness,
  listCustomersForExport,
  listRoleRows,
  listTemplatesForExport,
  requireStepUp,
  withNextNumber,
  withoutEndpoints,
} from '../../businesses/index.ts';
import { listCategoriesForExport, listPriceHistories, listProductsForExport } from '../../catalog/index.ts';
import { listCollectionDocs, listEntriesForExport } from '../../content/index.ts';
import {
  automationOf,
  listAutomationsForExport,
  listFormsForExport,
  listSegmentsForExport,
  listSubscriptionsForExport,
  listSuppressionsForExport,
  segmentOf,
  subscriberOf,
  suppressionOf,
} from '../../newsletters/index.ts';
import { exportOrders, findLastNumber, listDocumentsForExport } from '../../orders/index.ts';
import { listPromosForExport, viewPromo } from '../../pricing/index.ts';
import { listRedirectsForExport, viewRedirect } from '../../redirects/index.ts';
import type { Query } from '../context.ts';
import { pages } from '../pages.ts';
import { type Export, jsonRow } from './export-records.ts';

const VERSION = 2;

export async function exportBusiness(ctx: Query): Promise<Export> {
  await requireStepUp(ctx, ctx.businessId);
  const { slug } = await getBusiness(ctx, ctx.businessId);
  return {
    fileName: `${slug}.ndjson`.replaceAll(/[^A-Za-z0-9._-]/g, '-'),
    contentType: 'application/x-ndjson; charset=utf-8',
    text: ctx.imports.snapshots.read(ctx.businessId, (db) => marked(rowsOf(ctx, db)), ctx.lsn),
  };
}

async function* marked(rows: AsyncIterable<string>): AsyncGenerator<string> {
  let records = 0;
  for await (const text of rows) {
    records += text.split('\n').length - 1;
    yield text;
  }
  yield jsonRow({ kind: 'end', data: { records } });
}

async function* rowsOf(ctx: Query, db: Query['db']): AsyncGenerator<string> {
  const { businessId } = ctx;
  const publicUrl = ctx.publicUrl();
  const { id, name, slug, configs, createdAt } = await getBusiness(ctx, businessId);
  const numbered = await withNextNumber(db, businessId, configs);
  const { mailEvents: ___, ...shown } = withoutEndpoints(ctx.businesses.vault.masked(id, numbered));
  const { secretKey: _, webhookSecret: __, ...provider } = shown.paymentProvider ?? { type: 'SANDBOX' };
  const open = shown.paymentProvider ? { ...shown, paymentProvider: provider } : shown;
  yield jsonRow({ kind: 'business', version: VERSION, data: { id, name, slug, configs: open, createdAt } });
  // Comes first: orders created during the export get higher numbers.
  yield jsonRow({ kind: 'orders', data: { lastNumber: await findLastNumber(db, businessId) } });
  for await (const page of pages((after, limit) => listRoleRows(db, [businessId], after || null, limit))) {
    yield page.map(({ version: _, ...data }) => jsonRow({ kind: 'role', data })).join('');
  }
  const templates = await listTemplatesForExport(db, businessId);
  const sender = await findSender(db, businessId);
  if (sender) yield jsonRow({ kind: 'sender', data: { address: sender.address } });
  if (templates.length > 0) yield templates.map((data) => jsonRow({ kind: 'mailTemplate', data })).join('');
  for await (const page of pages((after, limit) => listCollectionDocs(db, businessId, after, limit))) {
    yield page.map((data) => jsonRow({ kind: 'collection', data })).join('');
  }
  const categories = await listCategoriesForExport(db, businessId, publicUrl);
  if (categories.length > 0) yield categories.map((data) => jsonRow({ kind: 'category', data })).join('');
  for await (const page of pages((after, limit) =>
    listProductsForExport(db, businessId, { after, limit, publicUrl }),
  )) {
    const ids = page.map(({ id }) => id);
    const histories = Map.groupBy(await listPriceHistories(db, businessId, ids), ({ productId }) => productId);
    yield page
      .map((product) => {
        const priceHistory = (histories.get(product.id) ?? []).map(({ productId: _, ...row }) => row);
        return jsonRow({ kind: 'product', data: { ...product, priceHistory } });
      })
      .join('');
  }
  for await (const page of pages((after, limit) => listPromosForExport(db, businessId, after, limit))) {
    yield page.map((row) => jsonRow({ kind: 'promoCode', data: viewPromo(row) })).join('');
  }
  for await (const page of pages((after, limit) => listCustomersForExport(db, businessId, after, limit))) {
    yield page.map((row) => jsonRow({ kind: 'customer', data: exportCustomer(row) })).join('');
  }
  for await (const page of pages((after, limit) => exportOrders(db, businessId, { after, limit, isWhole: true }))) {
    yield page.map((data) => jsonRow({ kind: 'order', data })).join('');
  }
  for await (const page of pages((after, limit) => listDocumentsForExport(db, businessId, after, limit))) {
    yield page.map(({ businessId: _, ...data }) => jsonRow({ kind: 'document', data })).join('');
  }
  for await (const page of pages((after, limit) =>
    listEntriesForExport(db, businessId, { collectionId: null, after, limit, withOrders: true, publicUrl }),
  )) {
    yield page.map((data) => jsonRow({ kind: 'entry', data })).join('');
  }
  for await (const page of pages((after, limit) =>
    listSubscriptionsForExport(db, businessId, { collectionId: null, after, limit }),
  )) {
    yield page
      .map((row) =>
        jsonRow({
          kind: 'subscription',
          data: { ...subscriberOf(row), referrals: row.referrals, consent: row.consent },
        }),
      )
      .join('');
  }
  for await (const page of pages((after, limit) => listSegmentsForExport(db, businessId, after, limit))) {
    yield page.map((row) => jsonRow({ kind: 'segment', data: segmentOf(row) })).join('');
  }
  for await (const page of pages((after, limit) => listSuppressionsForExport(db, businessId, after, limit))) {
    yield page.map((row) => jsonRow({ kind: 'suppression', data: suppressionOf(row) })).join('');
  }
  for await (const page of pages((after, limit) => listFormsForExport(db, businessId, after, limit))) {
    yield page
      .map(({ businessId: _, version: __, doc, ...row }) => jsonRow({ kind: 'form', data: { ...row, ...doc } }))
      .join('');
  }
  for await (const page of pages((after, limit) => listAutomationsForExport(db, businessId, after, limit))) {
    yield page.map((row) => jsonRow({ kind: 'automation', data: automationOf(row) })).join('');
  }
  for await (const page of pages((after, limit) => listRedirectsForExport(db, businessId, after, limit))) {
    yield page.map((row) => jsonRow({ kind: 'redirect', data: viewRedirect(row) })).join('');
  }
  for await (const page of pages((after, limit) => listMembersForExport(db, businessId, after, limit))) {
    yield page.map(({ email, roles }) => jsonRow({ kind: 'member', data: { email, roles } })).join('');
  }
}
