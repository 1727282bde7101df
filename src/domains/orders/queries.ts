import type { EventSource } from '../../context/index.ts';
import { countRows } from '../../db/count.ts';
import type { Db, Fragment, Statement, Tx } from '../../db/sql.ts';
import { MAX_TOTAL, PAGE_BYTES } from '../../shared/paging.ts';
import { escapeLike } from '../../shared/text/text.ts';
import type { PaymentCommand } from './context.ts';
import { derivedColumns } from './derived-columns.ts';
import { type NewOrder, type OrderRow, viewNewOrder } from './order.ts';
import { shipmentsOf, withFulfillment } from './shipments/fulfillment.ts';

export const columns = (db: Db) => db`
  business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, refunded, doc, version,
  created_at, updated_at`;

/**
 * Numbers and inserts the order and emits `order.created`. The counter stays locked until the commit, so that numbers have no gaps:
 * run these statements last in the transaction. Each writes one table, so a cluster can route it to the node of the business.
 */
export function insertOrder(tx: Tx, order: NewOrder, source: EventSource): Statement<object[]>[] {
  const { total, market, currency, paidAt, country, isAbandoned, bought } = derivedColumns(order);
  const doc = tx.json(order.doc);
  return [
    tx`select next_order_number(${order.businessId})`,
    tx`
      insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, refunded,
        doc, doc_bytes, total, market, currency, paid_at, country, is_abandoned, bought, send_id, version, created_at, updated_at)
      values (${order.businessId}, ${order.id}, ${takenNumber(tx)}, ${order.status},
        ${order.paymentStatus}, ${order.customerId}, ${order.customerEmail}, ${order.holds}, ${order.paid}, ${order.refunded},
        ${doc}, ${doc.bytes}, ${total}, ${market}, ${currency}, ${paidAt}, ${country}, ${isAbandoned}, ${bought && tx.json(bought)}, ${order.doc.attribution?.sendId ?? null},
        ${order.version}, ${order.createdAt}, ${order.updatedAt})`,
    source.eventWith(tx, {
      type: 'order.created',
      entity: `order:${order.id}`,
      // Only the database has the number.
      data: tx`${tx.json(viewNewOrder(order))}::jsonb || jsonb_build_object('number', ${takenNumber(tx)})`,
    }),
  ];
}

/** The number that `next_order_number` took in this transaction. */
export const takenNumber = (tx: Tx) => tx`current_setting('souk.order_number')::bigint`;

/** The number of the newest order, 0 if there is none. In the transaction of `insertOrder`, the number of the inserted order. */
export async function findLastNumber(db: Db, businessId: string): Promise<number> {
  const [row] = await db<{ last: number }[]>`select last from order_counters where business_id = ${businessId}`;
  return row?.last ?? 0;
}

export async function findOrder(db: Db, businessId: string, id: string): Promise<OrderRow | null> {
  const [row] = await db<OrderRow[]>`
    select ${columns(db)} from orders where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** In no particular order. */
export const listOrdersByIds = (db: Db, businessId: string, ids: readonly string[]) => db<OrderRow[]>`
  select ${columns(db)} from orders where business_id = ${businessId} and id = any(${ids as string[]})`;

/** Lock an order before its payment, stock and promo code. The document has its shipments, even in orders from older versions. */
export async function lockOrder(tx: Tx, businessId: string, id: string): Promise<OrderRow | null> {
  const [row] = await tx<OrderRow[]>`
    select ${columns(tx)} from orders where business_id = ${businessId} and id = ${id} for update`;
  return row ? { ...row, doc: { ...row.doc, shipments: shipmentsOf(row) } } : null;
}

/** Writes a locked order and increments its version, without waiting for the result. */
export function updateOrderRow(ctx: Pick<PaymentCommand, 'db' | 'issue' | 'now'>, order: OrderRow): OrderRow {
  const { db: tx } = ctx;
  const next = {
    ...order,
    doc: withFulfillment(order),
    status: order.doc.statuses.at(-1)!.status,
    paymentStatus: order.doc.paymentStatus.at(-1)!.status,
    version: order.version + 1,
    updatedAt: ctx.now,
  };
  ctx.issue(writeOrder(tx, next));
  return next;
}

/** Replaces the row of a locked order. */
export function writeOrder(tx: Tx, order: OrderRow): Statement<object[]> {
  const { total, market, currency, paidAt, country, isAbandoned, bought } = derivedColumns(order);
  const doc = tx.json(order.doc);
  return tx`
    update orders set status = ${order.status}, payment_status = ${order.paymentStatus}, customer_id = ${order.customerId},
      customer_email = ${order.customerEmail}, holds = ${order.holds}, paid = ${order.paid}, refunded = ${order.refunded},
      doc = ${doc}, doc_bytes = ${doc.bytes}, total = ${total}, market = ${market}, currency = ${currency}, paid_at = ${paidAt}, country = ${country}, is_abandoned = ${isAbandoned},
      bought = ${bought && tx.json(bought)}, version = ${order.version}, updated_at = ${order.updatedAt}
    where business_id = ${order.businessId} and id = ${order.id}`;
}

/** Orders with one of these customer IDs or, if set, this email. */
export type OrderCustomer = { ids: readonly string[]; email: string | null };

type OrderFilter = {
  statuses?: readonly string[] | undefined;
  paymentStatus?: string | undefined;
  fulfillment?: string | undefined;
  abandoned?: boolean | undefined;
  /** In lower case. */
  tag?: string | undefined;
  assignee?: string | undefined;
  country?: string | undefined;
  customer?: OrderCustomer | undefined;
  number?: number | undefined;
  emailPrefix?: string | undefined;
  /** Orders that match the search by their number in another system. */
  sourceIds?: readonly string[] | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  oldestFirst: boolean;
  after: readonly [createdAt: number, number: number] | null;
  limit: number;
};

type ListedOrder = OrderRow & { docBytes: number };

/**
 * Newest first by default. The page ends with the first order that exceeds the size limit in bytes. The column `doc_bytes` contains the
 * sizes, so later documents are not read.
 */
export const listOrders = (db: Db, businessId: string, filter: OrderFilter) => {
  const inOrder = orderOf(db, filter);
  return db<ListedOrder[]>`
    select ${columns(db)}, doc_bytes from (
      select page.*, sum(doc_bytes) over (${inOrder}) - doc_bytes as bytes_before
      from (${foundOrders(db, businessId, filter)}) page
    ) listed
    where bytes_before <= ${PAGE_BYTES}
    ${inOrder}`;
};

export const countOrders = (db: Db, businessId: string, filter: Omit<OrderFilter, 'after' | 'limit'>) =>
  countRows(db, foundOrders(db, businessId, { ...filter, after: null, limit: MAX_TOTAL }));

type SortKey = readonly [createdAt: Fragment, number: Fragment];

function orderOf(db: Db, { oldestFirst }: OrderFilter, [createdAt, number]: SortKey = [db`created_at`, db`number`]) {
  const direction = oldestFirst ? db`asc` : db`desc`;
  return db`order by ${createdAt} ${direction}, ${number} ${direction}`;
}

function foundOrders(db: Db, businessId: string, filter: OrderFilter) {
  const { statuses, tag, limit } = filter;
  const key: SortKey = tag === undefined ? [db`created_at`, db`number`] : [db`tagged_at`, db`tagged_number`];
  const found = (status?: string | ReturnType<typeof db>) => db`
    select ${columns(db)}, doc_bytes from ${tag === undefined ? db`` : db`(${taggedOrders(db, businessId, tag)}) tagged join`} orders o
      ${tag === undefined ? db`` : db`on o.business_id = ${businessId} and o.id = tagged.order_id`}
    where o.business_id = ${businessId}
      ${status === undefined ? db`` : db`and o.status = ${status}`} ${conditions(db, filter, key)}
    ${orderOf(db, filter, key)} limit ${limit}`;
  // Each status is a sorted range of an index. For several statuses, the first rows of each are merged.
  if (statuses === undefined || statuses.length < 2) return found(statuses?.[0]);
  return db`
    select each.* from unnest(${statuses as string[]}::text[]) as requested (name)
      cross join lateral (${found(db`requested.name`)}) each
    ${orderOf(db, filter)} limit ${limit}`;
}

/** A sorted range of an index. */
const taggedOrders = (db: Db, businessId: string, tag: string) => db`
  select order_id, created_at as tagged_at, number as tagged_number from order_tags
  where business_id = ${businessId} and key = ${tag}`;

function conditions(db: Db, filter: OrderFilter, [sortedAt, sortedNumber]: SortKey) {
  const { paymentStatus, fulfillment, assignee, country, customer, createdFrom, createdTo, oldestFirst, after } =
    filter;
  return db`
    ${paymentStatus === undefined ? db`` : db`and payment_status = ${paymentStatus}`}
    ${fulfillment === undefined ? db`` : db`and ${fulfillmentKey(db)} = ${fulfillment}`}
    ${filter.abandoned === undefined ? db`` : db`and is_abandoned = ${filter.abandoned}`}
    ${customer === undefined ? db`` : db`and ${ofCustomer(db, customer)}`}
    ${assignee === undefined ? db`` : db`and doc ->> 'assignee' = ${assignee}`}
    ${country === undefined ? db`` : db`and upper(doc #>> '{shippingAddress,country}') = ${country}`}
    ${textCondition(db, filter)}
    ${createdFrom === undefined ? db`` : db`and ${sortedAt} >= ${createdFrom}`}
    ${createdTo === undefined ? db`` : db`and ${sortedAt} <= ${createdTo}`}
    ${after === null ? db`` : db`and (${sortedAt}, ${sortedNumber}) ${oldestFirst ? db`>` : db`<`} (${after[0]}, ${after[1]})`}`;
}

export const ofCustomer = (db: Db, { ids, email }: OrderCustomer) => {
  const byId = ids.length === 1 ? db`customer_id = ${ids[0]!}` : db`customer_id = any(${ids as string[]})`;
  return email === null ? byId : db`(${byId} or customer_email = ${email})`;
};

/** The amounts that a customer paid, by currency. */
export const listSpend = (db: Db, businessId: string, customer: OrderCustomer) => db<
  { currency: string; orders: number; paid: number; refunded: number }[]
>`
  select currency, count(*)::int as orders, sum(paid)::bigint as paid, sum(refunded)::bigint as refunded
  from orders where business_id = ${businessId} and ${ofCustomer(db, customer)} and paid > 0
  group by currency order by 3 desc, currency`;

function textCondition(db: Db, { number, emailPrefix, sourceIds = [] }: OrderFilter) {
  const inSource = db`o.id = any(${sourceIds as string[]})`;
  if (number !== undefined)
    return sourceIds.length > 0 ? db`and (o.number = ${number} or ${inSource})` : db`and o.number = ${number}`;
  if (sourceIds.length > 0) return db`and ${inSource}`;
  return emailPrefix === undefined ? db`` : db`and customer_email like ${`${escapeLike(emailPrefix)}%`}`;
}

/** The orders that had this number in the system they were imported from, with or without a leading `#`. */
export async function listSourceIds(db: Db, businessId: string, number: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from orders
    where business_id = ${businessId} and lower(doc #>> '{source,number}') = any(${[number, `#${number}`]}::text[]) limit 100`;
  return rows.map(({ id }) => id);
}

/** Indexed. Orders from older versions have no `fulfillment` until they change. */
const fulfillmentKey = (db: Db) => db`
  coalesce(doc ->> 'fulfillment', case
    when o.status in ('SHIPPED', 'DELIVERED') then 'FULFILLED'
    when o.status = 'REFUNDED' and (doc @> '{"statuses": [{"status": "SHIPPED"}]}' or doc @> '{"statuses": [{"status": "DELIVERED"}]}')
      then 'FULFILLED'
    else 'UNFULFILLED' end)`;

/** Filters `ids` to existing orders of the business. Orders are never public. */
export async function existingOrders(
  db: Db,
  businessId: string,
  ids: readonly string[],
  publicOnly: boolean,
): Promise<string[]> {
  if (publicOnly) return [];
  const rows = await db<{ id: string }[]>`
    select id from orders where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map((row) => row.id);
}

/** The subset of `ids` that are orders of this customer. */
export async function listOwnOrders(
  db: Db,
  businessId: string,
  customerId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from orders
    where business_id = ${businessId} and id = any(${ids as string[]}) and customer_id = ${customerId}`;
  return rows.map((row) => row.id);
}

/** The customers of these businesses, for the user search. */
export const customersOf = (db: Db, businessIds: string[]) =>
  db`select customer_id from orders where business_id = any(${businessIds})`;

/** Filters `userIds` to users with an order in any business. */
export async function listCustomersAmong(db: Db, userIds: string[]): Promise<string[]> {
  const rows = await db<{ customerId: string }[]>`
    select distinct customer_id from orders where customer_id = any(${userIds})`;
  return rows.map((row) => row.customerId);
}

/** The customer of an order. */
export async function findOrderForEntry(
  db: Db,
  businessId: string,
  orderId: string,
): Promise<{ customerId: string } | null> {
  const [row] = await db<{ customerId: string }[]>`
    select customer_id from orders where business_id = ${businessId} and id = ${orderId}`;
  return row ?? null;
}

/** Whether this customer or this email address has placed an order since `since`, not counting canceled orders. */
export async function hasOrdered(
  db: Db,
  businessId: string,
  { userId, email, since }: { userId: string; email: string; since: number },
): Promise<boolean> {
  const rows = await db`
    select from orders
    where business_id = ${businessId} and (customer_id = ${userId} or customer_email = ${email})
      and created_at >= ${since} and status <> 'CANCELLED'
    limit 1`;
  return rows.length > 0;
}
