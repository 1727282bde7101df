import { notFound } from '../../../shared/errors.ts';
import { addTotal, type Page, pageLimit } from '../../../shared/paging.ts';
import { may } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { findOrder, listOrdersByIds } from '../queries.ts';
import { customerOf } from '../read-orders.ts';
import { returnValue } from './close-return.ts';
import { countReturns, findReturn, listReturns } from './queries.ts';
import { viewReturn } from './return.ts';
import type { Return, ReturnListQuery } from './schemas.ts';

/** Staff see every return of the business; customers see only returns of their own orders. */
export async function readReturn(ctx: Query, id: string): Promise<Return> {
  const { db, caller, businessId } = ctx;
  const row = await findReturn(db, businessId, id);
  const order = row && (await findOrder(db, businessId, row.orderId));
  const isStaff = may(caller, businessId, 'ORDER_READ');
  if (!row || !order || !(isStaff || order.customerId === caller.userId)) throw notFound('Return');
  const value = isStaff ? await returnValue(ctx, row, order) : null;
  return { ...viewReturn(row, order, caller), ...(value === null ? {} : { value }) };
}

export async function readReturns(ctx: Query, query: ReturnListQuery): Promise<Page<Return>> {
  const { db, replica, caller, businessId, cursors } = ctx;
  const limit = pageLimit(query.limit);
  const scope = `returns:${businessId}`;
  const after = cursors.decode(scope, query.cursor) as [number, string] | null;
  const seesAll = may(caller, businessId, 'ORDER_READ');
  if (!seesAll && query.customerId !== undefined && query.customerId !== caller.userId)
    return addTotal({ items: [], cursor: null }, query, async () => 0);
  const customer = seesAll ? await customerOf(ctx, query.customerId) : { ids: [caller.userId], email: null };
  const filter = { status: query.status, type: query.type, orderId: query.orderId, customer };
  const rows = await listReturns(replica, businessId, { ...filter, after, limit: limit + 1 });
  const orders = await listOrdersByIds(
    db,
    businessId,
    rows.map(({ orderId }) => orderId),
  );
  const page = cursors.page(
    scope,
    rows,
    limit,
    ({ createdAt, id }) => [createdAt, id],
    (row) => viewReturn(row, orders.find(({ id }) => id === row.orderId)!, caller),
  );
  return addTotal(page, query, () => countReturns(replica, businessId, filter));
}
