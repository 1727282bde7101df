import type { Versioned } from '../../context/index.ts';
import { notFound } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { addTotal, type Page, pageLimit } from '../../shared/paging.ts';
import { etagOf } from '../../shared/records/etag.ts';
import { isMember, may } from '../../shared/security/caller.ts';
import { findCustomer } from '../businesses/index.ts';
import { listRefunds } from '../payments/index.ts';
import type { Query } from './context.ts';
import { expandOrders } from './expand-orders.ts';
import type { Refund, RefundParts } from './money/schemas.ts';
import { ORDER_PURPOSE, versioned, viewOrder } from './order.ts';
import { countOrders, findOrder, listOrders, listSourceIds, listSpend, type OrderCustomer } from './queries.ts';
import type { Order, OrderListQuery, OrderQuery } from './schemas.ts';
import type { Shipment } from './shipments/schemas.ts';
import type { CustomerSpend } from './work/schemas.ts';
import { hideInactiveAssignees } from './work/staff.ts';

/** Staff see every order of the business; customers see only their own. */
export async function readOrder(ctx: Query, { id, ...query }: OrderQuery & { id: string }): Promise<Versioned<Order>> {
  const { quick, caller, businessId } = ctx;
  const order = await findOrder(quick, businessId, id);
  const isVisible = order && (order.customerId === caller.userId || may(caller, businessId, 'ORDER_READ'));
  if (!isVisible) throw notFound('Order');
  const { record, version } = versioned(order, caller);
  const [expanded] = await expandOrders(ctx, await hideInactiveAssignees(ctx, [record]), query);
  return { record: expanded!, version };
}

/** Callers who can see the order can see its refunds, oldest first. Only members see who requested them. */
export async function readRefunds(ctx: Query, id: string): Promise<Page<Refund>> {
  await readOrder(ctx, { id });
  const { businessId, caller } = ctx;
  const rows = await listRefunds(ctx.db, { businessId, purpose: ORDER_PURPOSE, reference: id });
  const isStaff = isMember(caller, businessId);
  const items = rows.map(({ id, amount, reason, status, parts, userId, createdAt }) => ({
    id,
    amount,
    reason,
    status,
    parts: parts as RefundParts | null,
    ...(isStaff && userId !== null ? { userId } : {}),
    createdAt,
  }));
  return { items, cursor: null };
}

/** Callers who can see the order can see its shipments. */
export async function readShipments(ctx: Query, id: string): Promise<Page<Shipment>> {
  const { record } = await readOrder(ctx, { id });
  return { items: record.shipments, cursor: null };
}

export async function readOrders(ctx: Query, query: OrderListQuery): Promise<Page<Order>> {
  const { replica: db, caller, businessId, cursors } = ctx;
  const limit = pageLimit(query.limit);
  const oldestFirst = query.sortDirection?.toLowerCase() === 'asc';
  const scope = `orders:${oldestFirst ? 'oldest' : 'newest'}:${businessId}`;
  const after = cursors.decode(scope, query.cursor) as [number, number] | null;
  const seesAll = may(caller, businessId, 'ORDER_READ');
  const customerId = query.customerId ?? query.userId;
  const isForOthers = !seesAll && customerId !== undefined && customerId !== caller.userId;
  const statuses = statusFilter(query);
  const isForStaff = !seesAll && (query.tag !== undefined || query.assignee !== undefined);
  if (isForStaff || isForOthers || statuses?.length === 0) {
    return addTotal({ items: [], cursor: null }, query, async () => 0);
  }
  const text = query.query?.trim().replace(/^#/, '') || undefined;
  const isNumber = text !== undefined && /^\d{1,15}$/.test(text);
  const filter = {
    statuses,
    paymentStatus: query.paymentStatus,
    fulfillment: query.fulfillment,
    abandoned: query.abandoned,
    tag: query.tag?.trim().toLowerCase(),
    assignee: query.assignee,
    country: query.country?.toUpperCase(),
    customer: seesAll ? await customerOf(ctx, customerId) : { ids: [caller.userId], email: null },
    number: isNumber ? Number(text) : undefined,
    emailPrefix: isNumber ? undefined : text?.toLowerCase(),
    // Email addresses are not order numbers.
    sourceIds: text && !text.includes('@') ? await listSourceIds(db, businessId, text.toLowerCase()) : undefined,
    createdFrom: query.createdFrom ?? query.createdAtFrom,
    createdTo: query.createdTo ?? query.createdAtTo,
    oldestFirst,
  };
  const rows = await listOrders(db, businessId, { ...filter, after, limit: limit + 1 });
  const page = cursors.page(
    scope,
    rows,
    limit,
    ({ createdAt, number }) => [createdAt, number],
    (row) => ({ ...viewOrder(row, caller), etag: etagOf(row.version) }),
    ({ docBytes }) => docBytes,
  );
  const items = await expandOrders(ctx, await hideInactiveAssignees(ctx, page.items), query);
  return addTotal({ ...page, items }, query, () => countOrders(db, businessId, filter));
}

/** The orders of a customer record: of the record itself, of its user, and of its email while it has no user. */
export async function customerOf(
  { db, businessId }: Query,
  id: string | undefined,
): Promise<OrderCustomer | undefined> {
  if (id === undefined) return undefined;
  const record = isId('cust', id) ? await findCustomer(db, businessId, id) : null;
  const email = record && !record.userId ? (record.email?.toLowerCase() ?? null) : null;
  return { ids: [...new Set([record?.userId ?? id, id])], email };
}

/** The amounts that a customer spent, by currency: paid minus refunded. */
export async function readSpend(ctx: Query, id: string): Promise<Page<CustomerSpend>> {
  const { db, businessId } = ctx;
  if (!(await findCustomer(db, businessId, id))) throw notFound('Customer');
  const rows = await listSpend(ctx.replica, businessId, (await customerOf(ctx, id))!);
  return { items: rows.map((row) => ({ ...row, spend: row.paid - row.refunded })), cursor: null };
}

/** Returns undefined for any status. If both filters are given, both apply. */
function statusFilter({ status, statuses }: OrderListQuery): string[] | undefined {
  if (statuses === undefined || statuses.length === 0) return status === undefined ? undefined : [status];
  return [...new Set(statuses)].filter((each) => status === undefined || each === status);
}
