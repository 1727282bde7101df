/** Documents are only inserted and read: they never change. */
import type { EventSource } from '../../../context/index.ts';
import type { Db, Statement, Tx } from '../../../db/sql.ts';
import { takeNumber } from '../../businesses/index.ts';
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

/**
 * Numbers and inserts a document and emits its event. All documents of the series wait for the lock on its counter until the commit:
 * run these statements last in the transaction.
 */
export const insertDocument = (tx: Tx, document: NewDocument, source: EventSource): Statement<object[]>[] => {
  const { businessId, orderId, orderNumber, snapshot, ...row } = document;
  const { id, type, series, refundId, issuedAt, currency, total } = row;
  const numbered =
    orderNumber === null
      ? tx`${tx.json(snapshot as never)}::jsonb || (
          select jsonb_build_object('orderNumber', last) from order_counters where business_id = ${businessId})`
      : tx`${tx.json({ ...snapshot, orderNumber } as never)}::jsonb`;
  const { type: event, data } = documentEvent(document);
  return [
    takeNumber(tx, businessId, series),
    tx`
      insert into documents (business_id, id, order_id, type, series, sequence, refund_id, issued_at, currency, total, snapshot)
      select c.business_id, ${id}, ${orderId}, ${type}, c.series, c.last, ${refundId}, ${issuedAt}, ${currency}, ${total},
        ${numbered}
      from document_counters c where c.business_id = ${businessId} and c.series = ${series}`,
    source.eventsFrom(
      tx,
      tx`
        select ${event} as type, ${`order:${orderId}`} as entity,
          ${tx.json(data)}::jsonb || jsonb_build_object('number', series || last) as data
        from document_counters where business_id = ${businessId} and series = ${series}`,
    ),
  ];
};

/** The event of a document, without its number. */
export function documentEvent({ orderId, id, type, issuedAt, total, currency }: NewDocument) {
  const event = type === 'INVOICE' ? ('order.invoiced' as const) : ('order.credited' as const);
  return { type: event, data: { orderId, document: { id, type, issuedAt, total, currency } } };
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

/** The IDs among these that documents have. */
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
