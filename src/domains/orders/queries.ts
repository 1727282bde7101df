import type { EventSource } from '../../context/index.ts';
import type { Db, Statement, Tx } from '../../db/sql.ts';
import { PAGE_BYTES } from '../../shared/paging.ts';
import { escapeLike } from '../../shared/text.ts';
import type { PaymentCommand } from './context.ts';
import { type NewOrder, type OrderRow, viewNewOrder } from './order.ts';

export const columns = (db: Db) => db`
  business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, refunded, doc, version,
  created_at, updated_at`;

/**
 * Gives the order the next number of its business, and tells of it. The counter's row stays locked until the commit, so that
 * numbers have no gaps: let these be the last statements of their transaction. Each writes one table: a cluster hands such a
 * statement to the node of the business as it is.
 */
export const insertOrder = (tx: Tx, order: NewOrder, source: EventSource): Statement<object[]>[] => [
  tx`
    insert into order_counters as c (business_id, last) values (${order.businessId}, 1)
    on conflict (business_id) do update set last = c.last + 1`,
  tx`
    insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, refunded,
      doc, version, created_at, updated_at)
    select c.business_id, ${order.id}, c.last, ${order.status}, ${order.paymentStatus}, ${order.customerId},
      ${order.customerEmail}, ${order.holds}, ${order.paid}, ${order.refunded}, ${tx.json(order.doc as never)},
      ${order.version}, ${order.createdAt}, ${order.updatedAt}
    from order_counters c where c.business_id = ${order.businessId}`,
  source.eventsFrom(tx, createdEvent(tx, order)),
];

/** Its number is put in front of what is known of it beforehand. */
const createdEvent = (tx: Tx, order: NewOrder) => tx`
  select 'order.created' as type, ${`order:${order.id}`} as entity,
    '{"number":' || last || ',' || ${JSON.stringify(viewNewOrder(order)).slice(1)} as data
  from order_counters where business_id = ${order.businessId}`;

/** The number of the newest order; 0: there was none yet. Inside the transaction of `insertOrder`: of that order. */
export async function findLastNumber(db: Db, businessId: string): Promise<number> {
  const [row] = await db<{ last: number }[]>`select last from order_counters where business_id = ${businessId}`;
  return row?.last ?? 0;
}

export async function findOrder(db: Db, businessId: string, id: string): Promise<OrderRow | null> {
  const [row] = await db<OrderRow[]>`
    select ${columns(db)} from orders where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** Taken before the locks of its payment, its stock and its promo code, in this order. */
export async function lockOrder(tx: Tx, businessId: string, id: string): Promise<OrderRow | null> {
  const [row] = await tx<OrderRow[]>`
    select ${columns(tx)} from orders where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Writes the order as it is now and raises its version. It must be locked, so nobody has to wait for the answer. */
export function updateOrder(ctx: Pick<PaymentCommand, 'db' | 'issue' | 'now'>, order: OrderRow): OrderRow {
  const { db: tx } = ctx;
  const next = {
    ...order,
    status: order.doc.statuses.at(-1)!.status,
    paymentStatus: order.doc.paymentStatus.at(-1)!.status,
    version: order.version + 1,
    updatedAt: ctx.now,
  };
  ctx.issue(tx`
    update orders set status = ${next.status}, payment_status = ${next.paymentStatus}, customer_id = ${next.customerId},
      customer_email = ${next.customerEmail}, holds = ${next.holds}, paid = ${next.paid}, refunded = ${next.refunded},
      doc = ${tx.json(next.doc as never)}, version = ${next.version}, updated_at = ${next.updatedAt}
    where business_id = ${next.businessId} and id = ${next.id}`);
  return next;
}

type OrderFilter = {
  statuses?: readonly string[] | undefined;
  paymentStatus?: string | undefined;
  customerId?: string | undefined;
  number?: number | undefined;
  emailPrefix?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  oldestFirst: boolean;
  after: readonly [createdAt: number, number: number] | null;
  limit: number;
};

type ListedOrder = OrderRow & { docBytes: number };

/**
 * Newest first unless told otherwise. Ends with the order that passes the bytes of a page: `doc_bytes` stands beside the
 * document in the row, so that documents further on are not even read.
 */
export const listOrders = (db: Db, businessId: string, filter: OrderFilter) => {
  const { statuses, oldestFirst, limit } = filter;
  const direction = oldestFirst ? db`asc` : db`desc`;
  const inOrder = db`order by created_at ${direction}, number ${direction}`;
  const found = (status?: string | ReturnType<typeof db>) => db`
    select ${columns(db)}, doc_bytes from orders o
    where business_id = ${businessId}
      ${status === undefined ? db`` : db`and o.status = ${status}`} ${conditions(db, filter)}
    ${inOrder} limit ${limit}`;
  // Each status has its own part of an index that is in order; of several, the first of each are merged.
  const source =
    statuses === undefined || statuses.length < 2
      ? found(statuses?.[0])
      : db`
        select each.* from unnest(${statuses as string[]}::text[]) as wanted (name)
          cross join lateral (${found(db`wanted.name`)}) each
        ${inOrder} limit ${limit}`;
  return db<ListedOrder[]>`
    select ${columns(db)}, doc_bytes from (
      select page.*, sum(doc_bytes) over (${inOrder}) - doc_bytes as bytes_before from (${source}) page
    ) listed
    where bytes_before <= ${PAGE_BYTES}
    ${inOrder}`;
};

function conditions(db: Db, filter: OrderFilter) {
  const { paymentStatus, customerId, number, emailPrefix, createdFrom, createdTo, oldestFirst, after } = filter;
  return db`
    ${paymentStatus === undefined ? db`` : db`and payment_status = ${paymentStatus}`}
    ${customerId === undefined ? db`` : db`and customer_id = ${customerId}`}
    ${number === undefined ? db`` : db`and number = ${number}`}
    ${emailPrefix === undefined ? db`` : db`and customer_email like ${`${escapeLike(emailPrefix)}%`}`}
    ${createdFrom === undefined ? db`` : db`and created_at >= ${createdFrom}`}
    ${createdTo === undefined ? db`` : db`and created_at <= ${createdTo}`}
    ${after === null ? db`` : db`and (created_at, number) ${oldestFirst ? db`>` : db`<`} (${after[0]}, ${after[1]})`}`;
}

/** Those of `ids` that are orders of the business. */
export async function existingOrders(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from orders where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map((row) => row.id);
}

/** Everybody who has ordered at one of these businesses, for the user search. */
export const customersOf = (db: Db, businessIds: string[]) =>
  db`select customer_id from orders where business_id = any(${businessIds})`;

/** Those of these users who have an order anywhere. */
export async function listCustomersAmong(db: Db, userIds: string[]): Promise<string[]> {
  const rows = await db<{ customerId: string }[]>`
    select distinct customer_id from orders where customer_id = any(${userIds})`;
  return rows.map((row) => row.customerId);
}

/** Whose an order is. */
export async function findOrderForEntry(
  db: Db,
  businessId: string,
  orderId: string,
): Promise<{ customerId: string } | null> {
  const [row] = await db<{ customerId: string }[]>`
    select customer_id from orders where business_id = ${businessId} and id = ${orderId}`;
  return row ?? null;
}
