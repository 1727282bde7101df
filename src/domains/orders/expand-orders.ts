import { may } from '../../shared/security/caller.ts';
import { findCustomers } from '../businesses/index.ts';
import { findSummaries } from '../catalog/index.ts';
import type { Query } from './context.ts';
import type { Order, OrderQuery } from './schemas.ts';

/** Adds customers and products as the caller can see them, each with one query for all orders. */
export async function expandOrders(ctx: Query, orders: Order[], { expand = [] }: OrderQuery): Promise<Order[]> {
  if (expand.length === 0 || orders.length === 0) return orders;
  const [hasCustomer, hasProduct] = [expand.includes('customer'), expand.includes('product')];
  const [customers, products] = await Promise.all([
    hasCustomer && may(ctx.caller, ctx.businessId, 'CUSTOMER_READ')
      ? findCustomers(
          ctx,
          orders.map(({ customerId }) => customerId),
        )
      : null,
    hasProduct
      ? findSummaries(
          ctx,
          orders.flatMap(({ lines }) => lines.map(({ productId }) => productId)),
        )
      : null,
  ]);
  return orders.map((order) => ({
    ...order,
    ...(hasCustomer ? { customer: customers?.get(order.customerId) ?? null } : {}),
    lines: products
      ? order.lines.map((line) => ({ ...line, product: products.get(line.productId) ?? null }))
      : order.lines,
  }));
}
