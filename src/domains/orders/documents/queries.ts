/** Documents are only inserted and read: they never change. */
import type { EventSource } from '../../../context/index.ts';
import type { Db, Statement, Tx } from '../../../db/sql.ts';
import type { NewEvent } from '../../../shared/events.ts';
import { takenNumber } from '../queries.ts';
import type { DocumentType } from './schemas.ts';
import type { Snapshot, StoredSnapshot } from './snapshot-schemas.ts';

/** `orderNumber` is null if the order gets its number in the same transaction. */
export type NewDocument = {
  businessId: string;
  id: string;
  orderId: string;
  orderNumber: number | null;
  type: DocumentType;
  series: string;
  refundId: string | null;
  issuedAt: number;
  currency: string;
  total: number;
  snapshot: Snapshot;
};

export type DocumentRow = Omit<NewDocument, 'orderNumber' | 'snapshot'> & {
  sequence: number;
  snapshot: StoredSnapshot;
};

export const numberOf = ({ series, sequence }: Pick<DocumentRow, 'series' | 'sequence'>) => `${series}${sequence}`;

/** The setting that holds the number that the transaction assigned last. */
const TAKEN_NUMBER = 'souk.document_number';

/**
 * Numbers and inserts a document. All documents of the series wait for the lock on its counter until the commit: run it last in the
 * transaction, followed only by the event, and release the lock early.
 */
export const insertDocument = (tx: Tx, document: NewDocument): Statement<object[]> => {
  const { businessId, id, orderId, orderNumber, type, series, refundId, issuedAt, currency, total, snapshot } =
    document;
  const numbered =
    orderNumber === null
      ? tx`${tx.json(snapshot as never)}::jsonb || jsonb_build_object('orderNumber', ${takenNumber(tx)})`
      : tx`${tx.json({ ...snapshot, orderNumber } as never)}::jsonb`;
  return tx`
    select issue_document(${businessId}, ${id}, ${orderId}, ${type}, ${series}, ${refundId}, ${issuedAt}, ${currency}, ${total},
      ${numbered})`;
};

/** The event of a document. Emit it after the document is inserted, in the same transaction. */
export const documentEvent = (document: NewDocument): NewEvent => ({
  ...unnumberedEvent(document),
  settings: { number: TAKEN_NUMBER },
});

/** The same event, as a statement. */
export const insertDocumentEvent = (tx: Tx, document: NewDocument, source: EventSource): Statement<object[]> => {
  const { type, entity, data } = unnumberedEvent(document);
  return source.eventWith(tx, {
    type,
    entity,
    data: tx`${tx.json(data)}::jsonb || jsonb_build_object('number', current_setting(${TAKEN_NUMBER}))`,
  });
};

/** The event of a document, without its number. */
export function unnumberedEvent({ orderId, id, type, issuedAt, total, currency }: NewDocument) {
  const event = type === 'INVOICE' ? ('order.invoiced' as const) : ('order.credited' as const);
  const data = { orderId, document: { id, type, issuedAt, total, currency } };
  return { type: event, entity: `order:${orderId}` as const, data };
}

const columns = (db: Db) => db`
  business_id, id, order_id, type, series, sequence, refund_id, issued_at, currency, total, snapshot`;

/** Returns the IDs of inserted documents. Documents whose number is taken are skipped. */
export async function insertIssued(tx: Tx, documents: readonly DocumentRow[]): Promise<string[]> {
  const written: string[] = [];
  for (const row of documents) {
    const inserted = await tx<{ id: string }[]>`
      insert into documents ${tx({ ...row, snapshot: tx.json(row.snapshot) } as never)}
      on conflict do nothing returning id`;
    written.push(...inserted.map(({ id }) => id));
  }
  return written;
}

/** The IDs among these that documents already have. */
export async function listDocumentIds(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from documents where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map(({ id }) => id);
}

/** Sorted by ID, starting after the given ID. */
export const listDocumentsForExport = (db: Db, businessId: string, after: string, limit: number) => db<DocumentRow[]>`
  select ${columns(db)} from documents where business_id = ${businessId} and id > ${after} order by id limit ${limit}`;

/** Oldest first. */
export const listDocumentRows = (db: Db, businessId: string, orderId: string) => db<DocumentRow[]>`
  select ${columns(db)} from documents where business_id = ${businessId} and order_id = ${orderId}
  order by issued_at, id`;

/** The newest document of this type. */
export async function findNewestDocument(
  db: Db,
  { businessId, id }: { businessId: string; id: string },
  type: DocumentRow['type'],
): Promise<Pick<DocumentRow, 'id' | 'type' | 'series' | 'sequence'> | null> {
  const [row] = await db<Pick<DocumentRow, 'id' | 'type' | 'series' | 'sequence'>[]>`
    select id, type, series, sequence from documents
    where business_id = ${businessId} and order_id = ${id} and type = ${type}
    order by issued_at desc, id desc limit 1`;
  return row ?? null;
}

export async function findDocument(
  db: Db,
  businessId: string,
  orderId: string,
  id: string,
): Promise<DocumentRow | null> {
  const [row] = await db<DocumentRow[]>`
    select ${columns(db)} from documents where business_id = ${businessId} and id = ${id} and order_id = ${orderId}`;
  return row ?? null;
}

export async function countDocuments(db: Db, businessId: string, orderIds: readonly string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from documents
    where business_id = ${businessId} and order_id = any(${orderIds as string[]})`;
  return row!.count;
}
