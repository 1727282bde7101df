/** A whole business as one stream of lines: `{kind, data}`. What comes later names what came before. */
import { withAddresses } from '../../../shared/own-addresses.ts';
import { listMembersForExport } from '../../accounts/index.ts';
import { getBusiness, listCustomersForExport, listRoleRows, viewCustomer } from '../../businesses/index.ts';
import { listProductsForExport } from '../../catalog/index.ts';
import { listCollectionDocs, listEntriesForExport } from '../../content/index.ts';
import { listSubscriptionsForExport, subscriberOf } from '../../newsletters/index.ts';
import { exportOrder, findLastNumber, listOrdersForExport } from '../../orders/index.ts';
import { listPromosForExport, viewPromo } from '../../pricing/index.ts';
import type { Query } from '../context.ts';
import { type Export, line, pages } from './export-records.ts';

const VERSION = 1;
const MAX_ROLES = 1000;
const MAX_MEMBERS = 1000;

export async function exportBusiness(ctx: Query): Promise<Export> {
  const { slug } = await getBusiness(ctx, ctx.businessId);
  return {
    fileName: `${slug}.ndjson`.replaceAll(/[^A-Za-z0-9._-]/g, '-'),
    contentType: 'application/x-ndjson; charset=utf-8',
    text: ctx.imports.snapshots.read((db) => lines(ctx, db)),
  };
}

async function* lines(ctx: Query, db: Query['db']): AsyncGenerator<string> {
  const { businessId } = ctx;
  const publicUrl = ctx.publicUrl();
  const { id, name, slug, configs, createdAt } = await getBusiness(ctx, businessId);
  const shown = ctx.businesses.vault.shown(id, configs, true);
  const { secretKey: _, webhookSecret: __, ...provider } = shown.paymentProvider ?? { type: 'SANDBOX' };
  const open = shown.paymentProvider ? { ...shown, paymentProvider: provider } : shown;
  yield line({ kind: 'business', version: VERSION, data: { id, name, slug, configs: open, createdAt } });
  // Before everything: numbers of orders that come meanwhile are higher.
  yield line({ kind: 'orders', data: { lastNumber: await findLastNumber(db, businessId) } });
  for (const { version: _, ...role } of await listRoleRows(db, [businessId], null, MAX_ROLES))
    yield line({ kind: 'role', data: role });
  for await (const page of pages((after, limit) => listCollectionDocs(db, businessId, after, limit))) {
    yield page.map((data) => line({ kind: 'collection', data })).join('');
  }
  for await (const page of pages((after, limit) =>
    listProductsForExport(db, businessId, { after, limit, publicUrl }),
  )) {
    yield page.map(({ json }) => `{"kind":"product","data":${json}}\n`).join('');
  }
  for await (const page of pages((after, limit) => listPromosForExport(db, businessId, after, limit))) {
    yield page.map((row) => line({ kind: 'promoCode', data: viewPromo(row) })).join('');
  }
  for await (const page of pages((after, limit) => listCustomersForExport(db, businessId, after, limit))) {
    yield page.map((row) => line({ kind: 'customer', data: viewCustomer(row) })).join('');
  }
  for await (const page of pages((after, limit) => listOrdersForExport(db, businessId, after, limit))) {
    yield page.map((row) => line({ kind: 'order', data: exportOrder(row) })).join('');
  }
  for await (const page of pages((after, limit) =>
    listEntriesForExport(db, businessId, { collectionId: null, after, limit, withOrders: true }),
  )) {
    yield page.map(({ doc }) => `{"kind":"entry","data":${withAddresses(doc, publicUrl)}}\n`).join('');
  }
  for await (const page of pages((after, limit) =>
    listSubscriptionsForExport(db, businessId, { collectionId: null, after, limit }),
  )) {
    yield page
      .map((row) => line({ kind: 'subscription', data: { ...subscriberOf(row), consent: row.consent } }))
      .join('');
  }
  for (const data of await listMembersForExport(db, businessId, MAX_MEMBERS)) yield line({ kind: 'member', data });
}
