import { type Caller, may } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import type { OrdersContext } from './context.ts';
import { type OrderRow, viewOrder } from './order.ts';
import { findOrder, listOrders } from './queries.ts';
import type { Order, OrderListQuery } from './schemas.ts';

const SCOPE = 'orders:newest';

/** Staff see every order of the business, a customer sees his own. */
export async function readOrder(
  { deps }: OrdersContext,
  caller: Caller,
  businessId: string,
  id: string,
): Promise<OrderRow> {
  const order = await findOrder(deps.pool, businessId, id);
  const isSeen = order && (order.customerId === caller.userId || may(caller, businessId, 'ORDER_READ'));
  if (!isSeen) throw notFound('Order');
  return order;
}

export async function readOrders(
  { deps }: OrdersContext,
  caller: Caller,
  businessId: string,
  query: OrderListQuery,
): Promise<Page<Order>> {
  const limit = pageLimit(query.limit);
  const after = deps.cursors.decode(`${SCOPE}:${businessId}`, query.cursor) as [number, number] | null;
  const seesAll = may(caller, businessId, 'ORDER_READ');
  if (!seesAll && query.customerId !== undefined && query.customerId !== caller.userId)
    return { items: [], cursor: null };
  const text = query.query?.trim().replace(/^#/, '') || undefined;
  const isNumber = text !== undefined && /^\d{1,15}$/.test(text);
  const rows = await listOrders(deps.pool, businessId, {
    status: query.status,
    paymentStatus: query.paymentStatus,
    customerId: seesAll ? query.customerId : caller.userId,
    number: isNumber ? Number(text) : undefined,
    emailPrefix: isNumber ? undefined : text?.toLowerCase(),
    createdFrom: query.createdFrom,
    createdTo: query.createdTo,
    after,
    limit: limit + 1,
  });
  return deps.cursors.page(
    `${SCOPE}:${businessId}`,
    rows,
    limit,
    ({ createdAt, number }) => [createdAt, number],
    viewOrder,
  );
}
