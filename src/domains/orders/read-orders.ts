import type { Versioned } from '../../context/index.ts';
import { may } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import { etagOf } from '../../shared/etag.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { versioned, viewOrder } from './order.ts';
import { findOrder, listOrders } from './queries.ts';
import type { Order, OrderListQuery } from './schemas.ts';

/** Staff see every order of the business, customers see their own. */
export async function readOrder({ quick, caller, businessId }: Query, id: string): Promise<Versioned<Order>> {
  const order = await findOrder(quick, businessId, id);
  const isSeen = order && (order.customerId === caller.userId || may(caller, businessId, 'ORDER_READ'));
  if (!isSeen) throw notFound('Order');
  return versioned(order, caller);
}

export async function readOrders(
  { db, caller, businessId, cursors }: Query,
  query: OrderListQuery,
): Promise<Page<Order>> {
  const limit = pageLimit(query.limit);
  const oldestFirst = query.sortDirection?.toLowerCase() === 'asc';
  const scope = `orders:${oldestFirst ? 'oldest' : 'newest'}:${businessId}`;
  const after = cursors.decode(scope, query.cursor) as [number, number] | null;
  const seesAll = may(caller, businessId, 'ORDER_READ');
  const customerId = query.customerId ?? query.userId;
  const isOfAnother = !seesAll && customerId !== undefined && customerId !== caller.userId;
  const statuses = wantedStatuses(query);
  if (isOfAnother || statuses?.length === 0) return { items: [], cursor: null };
  const text = query.query?.trim().replace(/^#/, '') || undefined;
  const isNumber = text !== undefined && /^\d{1,15}$/.test(text);
  const rows = await listOrders(db, businessId, {
    statuses,
    paymentStatus: query.paymentStatus,
    customerId: seesAll ? customerId : caller.userId,
    number: isNumber ? Number(text) : undefined,
    emailPrefix: isNumber ? undefined : text?.toLowerCase(),
    createdFrom: query.createdFrom ?? query.createdAtFrom,
    createdTo: query.createdTo ?? query.createdAtTo,
    oldestFirst,
    after,
    limit: limit + 1,
  });
  return cursors.page(
    scope,
    rows,
    limit,
    ({ createdAt, number }) => [createdAt, number],
    (row) => ({ ...viewOrder(row, caller), etag: etagOf(row.version) }),
    ({ docBytes }) => docBytes,
  );
}

/** Undefined: of any status. Both filters at once: what fits both. */
function wantedStatuses({ status, statuses }: OrderListQuery): string[] | undefined {
  if (statuses === undefined || statuses.length === 0) return status === undefined ? undefined : [status];
  return [...new Set(statuses)].filter((each) => status === undefined || each === status);
}
