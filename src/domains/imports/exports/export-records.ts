/** Streams records in ID order from one snapshot. */
import type { Db } from '../../../db/sql.ts';
import { conflict, notFound } from '../../../shared/errors.ts';
import { csvRow } from '../../../shared/text/csv.ts';
import { exportCustomer, getBusiness, listCustomersForExport, requireStepUp } from '../../businesses/index.ts';
import { listPriceMarkets, listProductsForExport } from '../../catalog/index.ts';
import { type Collection, getCollection, listCollectionDocs, listEntriesForExport } from '../../content/index.ts';
import { exportSegmentPeople, listSubscriptionsForExport, readSegment, subscriberOf } from '../../newsletters/index.ts';
import { exportOrders } from '../../orders/index.ts';
import { requireFor } from '../access.ts';
import type { Query } from '../context.ts';
import { pages } from '../pages.ts';
import type { ExportQuery } from '../schemas.ts';
import { ORDER_HEADER, orderRows } from './order-table.ts';
import {
  CUSTOMER_HEADER,
  customerRow,
  entryHeader,
  entryRow,
  PERSON_HEADER,
  productHeader,
  productRows,
  SUBSCRIBER_HEADER,
  subscriberRow,
} from './tables.ts';

const MAX_MARKETS = 200;
/** The byte order mark makes spreadsheets read the file as UTF-8. */
const MARK = '\ufeff';

export type Export = { fileName: string; contentType: string; text: AsyncGenerator<string> };

export async function exportRecords(ctx: Query, query: ExportQuery): Promise<Export> {
  requireFor(ctx, query.type);
  await requireStepUp(ctx, ctx.businessId);
  const { db, businessId } = ctx;
  const collection = query.collectionId === undefined ? null : await getCollection(db, businessId, query.collectionId);
  if (collection && query.type === 'subscribers' && collection.type !== 'NEWSLETTER') throw notFound('Newsletter');
  const { slug } = await getBusiness(ctx, businessId);
  const format = query.format ?? 'csv';
  const segment = query.type === 'subscribers' && query.segmentId ? await readSegment(ctx, query.segmentId) : null;
  const name = segment?.record.name ?? collection?.slug ?? query.type;
  return {
    fileName: `${slug}-${name}.${format}`.replaceAll(/[^A-Za-z0-9._-]/g, '-'),
    contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    text: ctx.imports.snapshots.read(
      businessId,
      (snapshot) =>
        segment === null
          ? WRITERS[query.type](ctx, snapshot, collection, format === 'csv')
          : writePeople(ctx, snapshot, segment.record.id, format === 'csv'),
      ctx.lsn,
    ),
  };
}

async function* writePeople(ctx: Query, db: Db, segmentId: string, isCsv: boolean): AsyncGenerator<string> {
  if (isCsv) yield MARK + csvRow(PERSON_HEADER);
  for await (const page of exportSegmentPeople({ ...ctx, db }, segmentId)) {
    yield page
      .map((person) => (isCsv ? csvRow(PERSON_HEADER.map((name) => String(person[name]))) : jsonRow(person)))
      .join('');
  }
}

type Writer = (ctx: Query, db: Db, collection: Collection | null, isCsv: boolean) => AsyncGenerator<string>;

const WRITERS: Record<ExportQuery['type'], Writer> = {
  async *products(ctx, db, _collection, isCsv) {
    const { businessId } = ctx;
    const publicUrl = ctx.publicUrl();
    const markets = isCsv ? await listPriceMarkets(db, businessId, MAX_MARKETS + 1) : [];
    if (markets.length > MAX_MARKETS)
      throw conflict(`CSV exports support at most ${MAX_MARKETS} markets. Export as ndjson instead.`);
    if (isCsv) yield MARK + csvRow(productHeader(markets));
    for await (const page of pages((after, limit) =>
      listProductsForExport(db, businessId, { after, limit, publicUrl }),
    )) {
      if (!isCsv) yield page.map(jsonRow).join('');
      else yield page.flatMap((product) => productRows(product, markets).map(csvRow)).join('');
    }
  },
  async *customers({ businessId }, db, _collection, isCsv) {
    if (isCsv) yield MARK + csvRow(CUSTOMER_HEADER);
    for await (const page of pages((after, limit) => listCustomersForExport(db, businessId, after, limit))) {
      yield page
        .map((row) => (isCsv ? csvRow(customerRow(exportCustomer(row))) : jsonRow(exportCustomer(row))))
        .join('');
    }
  },
  async *orders({ businessId }, db, _collection, isCsv) {
    if (isCsv) yield MARK + csvRow(ORDER_HEADER);
    for await (const page of pages((after, limit) => exportOrders(db, businessId, { after, limit }))) {
      yield page.map((order) => (isCsv ? orderRows(order).map(csvRow).join('') : jsonRow(order))).join('');
    }
  },
  async *subscribers({ businessId }, db, collection, isCsv) {
    const slugs = await slugsOf(db, businessId);
    if (isCsv) yield MARK + csvRow(SUBSCRIBER_HEADER);
    const collectionId = collection?.id ?? null;
    for await (const page of pages((after, limit) =>
      listSubscriptionsForExport(db, businessId, { collectionId, after, limit }),
    )) {
      yield page
        .map((row) =>
          isCsv
            ? csvRow(subscriberRow(row, slugs.get(row.collectionId) ?? ''))
            : jsonRow({ ...subscriberOf(row), consent: row.consent }),
        )
        .join('');
    }
  },
  async *entries(ctx, db, collection, isCsv) {
    const { businessId } = ctx;
    const publicUrl = ctx.publicUrl();
    const slugs = await slugsOf(db, businessId);
    if (isCsv) yield MARK + csvRow(entryHeader(collection));
    const collectionId = collection?.id ?? null;
    for await (const page of pages((after, limit) =>
      listEntriesForExport(db, businessId, { collectionId, after, limit, publicUrl }),
    )) {
      yield page
        .map((entry) => {
          if (!isCsv) return jsonRow(entry);
          return csvRow(entryRow(entry, slugs.get(entry.owner.slice('collection:'.length)) ?? '', collection));
        })
        .join('');
    }
  },
};

export const jsonRow = (value: object) => `${JSON.stringify(value)}\n`;

async function slugsOf(db: Db, businessId: string): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for await (const page of pages((after, limit) => listCollectionDocs(db, businessId, after, limit))) {
    for (const { id, slug } of page) slugs.set(id, slug);
  }
  return slugs;
}
