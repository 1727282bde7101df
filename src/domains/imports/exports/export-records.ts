/** Streams records out, in the order of their ids, from one snapshot. */
import type { Db } from '../../../db/sql.ts';
import { notFound } from '../../../shared/errors.ts';
import { withAddresses } from '../../../shared/own-addresses.ts';
import { getBusiness, listCustomersForExport, viewCustomer } from '../../businesses/index.ts';
import { listPriceMarkets, listProductsForExport, type Product } from '../../catalog/index.ts';
import {
  type Collection,
  type Entry,
  getCollection,
  listCollectionDocs,
  listEntriesForExport,
} from '../../content/index.ts';
import { listSubscriptionsForExport, subscriberOf } from '../../newsletters/index.ts';
import { requireFor } from '../access.ts';
import type { Query } from '../context.ts';
import type { ExportQuery } from '../schemas.ts';
import { csvLine } from './csv-text.ts';
import {
  CUSTOMER_HEADER,
  customerRow,
  entryHeader,
  entryRow,
  productHeader,
  productRows,
  SUBSCRIBER_HEADER,
  subscriberRow,
} from './tables.ts';

/** Records that are read at once: few enough that requests in between do not wait. */
const PAGE = 100;
const MAX_MARKETS = 200;
/** A file that begins with it is UTF-8 to a spreadsheet. */
const MARK = '\ufeff';

/** Goes through all records of a list that is read from after an id on. */
export async function* pages<T extends { id: string }>(
  list: (after: string, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let after = ''; ; ) {
    const page = await list(after, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

export type Export = { fileName: string; contentType: string; text: AsyncGenerator<string> };

export async function exportRecords(ctx: Query, query: ExportQuery): Promise<Export> {
  requireFor(ctx, query.type);
  const { db, businessId } = ctx;
  const collection = query.collectionId === undefined ? null : await getCollection(db, businessId, query.collectionId);
  if (collection && query.type === 'subscribers' && collection.type !== 'NEWSLETTER') throw notFound('Newsletter');
  const { slug } = await getBusiness(ctx, businessId);
  const format = query.format ?? 'csv';
  const name = collection?.slug ?? query.type;
  return {
    fileName: `${slug}-${name}.${format}`.replaceAll(/[^A-Za-z0-9._-]/g, '-'),
    contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    text: ctx.imports.snapshots.read((snapshot) => WRITERS[query.type](ctx, snapshot, collection, format === 'csv')),
  };
}

type Writer = (ctx: Query, db: Db, collection: Collection | null, isCsv: boolean) => AsyncGenerator<string>;

const WRITERS: Record<ExportQuery['type'], Writer> = {
  async *products(ctx, db, _collection, isCsv) {
    const { businessId } = ctx;
    const publicUrl = ctx.publicUrl();
    const markets = isCsv ? await listPriceMarkets(db, businessId, MAX_MARKETS) : [];
    if (isCsv) yield MARK + csvLine(productHeader(markets));
    for await (const page of pages((after, limit) =>
      listProductsForExport(db, businessId, { after, limit, publicUrl }),
    )) {
      if (!isCsv) yield page.map(({ json }) => `${json}\n`).join('');
      else yield page.flatMap(({ json }) => productRows(JSON.parse(json) as Product, markets).map(csvLine)).join('');
    }
  },
  async *customers({ businessId }, db, _collection, isCsv) {
    if (isCsv) yield MARK + csvLine(CUSTOMER_HEADER);
    for await (const page of pages((after, limit) => listCustomersForExport(db, businessId, after, limit))) {
      yield page.map((row) => (isCsv ? csvLine(customerRow(viewCustomer(row))) : line(viewCustomer(row)))).join('');
    }
  },
  async *subscribers({ businessId }, db, collection, isCsv) {
    const slugs = await slugsOf(db, businessId);
    if (isCsv) yield MARK + csvLine(SUBSCRIBER_HEADER);
    const collectionId = collection?.id ?? null;
    for await (const page of pages((after, limit) =>
      listSubscriptionsForExport(db, businessId, { collectionId, after, limit }),
    )) {
      yield page
        .map((row) =>
          isCsv
            ? csvLine(subscriberRow(row, slugs.get(row.collectionId) ?? ''))
            : line({ ...subscriberOf(row), consent: row.consent }),
        )
        .join('');
    }
  },
  async *entries(ctx, db, collection, isCsv) {
    const { businessId } = ctx;
    const publicUrl = ctx.publicUrl();
    const slugs = await slugsOf(db, businessId);
    if (isCsv) yield MARK + csvLine(entryHeader(collection));
    const collectionId = collection?.id ?? null;
    for await (const page of pages((after, limit) =>
      listEntriesForExport(db, businessId, { collectionId, after, limit }),
    )) {
      yield page
        .map(({ doc }) => {
          const json = withAddresses(doc, publicUrl);
          if (!isCsv) return `${json}\n`;
          const entry = JSON.parse(json) as Entry;
          return csvLine(entryRow(entry, slugs.get(entry.owner.slice('collection:'.length)) ?? '', collection));
        })
        .join('');
    }
  },
};

export const line = (value: object) => `${JSON.stringify(value)}\n`;

async function slugsOf(db: Db, businessId: string): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for await (const page of pages((after, limit) => listCollectionDocs(db, businessId, after, limit))) {
    for (const { id, slug } of page) slugs.set(id, slug);
  }
  return slugs;
}
