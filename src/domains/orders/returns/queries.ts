import { countRows } from '../../../db/count.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { MAX_TOTAL } from '../../../shared/paging.ts';
import { type OrderCustomer, ofCustomer } from '../queries.ts';
import type { ReturnRow } from './return.ts';

const columns = (db: Db) => db`business_id, id, order_id, type, status, doc, version, created_at, updated_at`;

export async function insertReturn(tx: Tx, row: ReturnRow): Promise<void> {
  await tx`insert into returns ${tx({ ...row, doc: tx.json(row.doc as never) } as never)}`;
}

export async function findReturn(db: Db, businessId: string, id: string): Promise<ReturnRow | null> {
  const [row] = await db<ReturnRow[]>`
    select ${columns(db)} from returns where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** All returns of an order, oldest first. The lock on the order protects them. */
export const listReturnsOf = (db: Db, businessId: string, orderId: string) => db<ReturnRow[]>`
  select ${columns(db)} from returns where business_id = ${businessId} and order_id = ${orderId} order by id`;

/** The returns of these orders, oldest first. */
export const listReturnsAmong = (db: Db, businessId: string, orderIds: readonly string[]) => db<ReturnRow[]>`
  select ${columns(db)} from returns where business_id = ${businessId} and order_id = any(${orderIds as string[]})
  order by id`;

/** The order must be locked. */
export async function updateReturn(tx: Tx, row: ReturnRow): Promise<void> {
  await tx`
    update returns set status = ${row.status}, doc = ${tx.json(row.doc as never)}, version = ${row.version},
      updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

type ReturnFilter = {
  status?: string | undefined;
  type?: string | undefined;
  orderId?: string | undefined;
  /** Only returns of orders of this customer. */
  customer?: OrderCustomer | undefined;
  after: readonly [createdAt: number, id: string] | null;
  limit: number;
};

/** Newest first. */
export const listReturns = (db: Db, businessId: string, filter: ReturnFilter) => {
  const { status, type, orderId, customer, after, limit } = filter;
  return db<ReturnRow[]>`
    select ${columns(db)} from returns r
    where business_id = ${businessId}
      ${status === undefined ? db`` : db`and status = ${status}`}
      ${type === undefined ? db`` : db`and type = ${type}`}
      ${orderId === undefined ? db`` : db`and order_id = ${orderId}`}
      ${
        customer === undefined
          ? db``
          : db`and order_id in (select id from orders where business_id = ${businessId} and ${ofCustomer(db, customer)})`
      }
      ${after === null ? db`` : db`and (created_at, id) < (${after[0]}, ${after[1]})`}
    order by created_at desc, id desc limit ${limit}`;
};

export const countReturns = (db: Db, businessId: string, filter: Omit<ReturnFilter, 'after' | 'limit'>) =>
  countRows(db, listReturns(db, businessId, { ...filter, after: null, limit: MAX_TOTAL }));

/** For an erasure: the customer's message, staff's messages to the customer, and the label with the address. */
export async function eraseReturnTexts(tx: Tx, businessId: string, orderId: string): Promise<void> {
  const rows = await tx<{ id: string; lines: object[] }[]>`
    select id, doc -> 'lines' as lines from returns
    where business_id = ${businessId} and order_id = ${orderId} order by id for update`;
  for (const { id, lines } of rows) {
    const left = lines.map((line) => ({ ...line, reason: null }));
    const erased = { name: null, note: null, instructions: null, labelUrl: null, rejection: null, lines: left };
    await tx`update returns set version = version + 1, doc = doc || ${tx.json(erased as never)}::jsonb
      where business_id = ${businessId} and id = ${id}`;
  }
}
