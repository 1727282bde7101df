import type { Command } from '../context/index.ts';
import { createOrder, type OrderServices } from '../domains/orders/index.ts';
import { createPromo } from '../domains/pricing/index.ts';

/** A promo code to try, and an order that has been paid and shipped. Returns the order's id. */
export async function seedOrders(
  ctx: Command<OrderServices>,
  item: { productId: string; variantId: string },
): Promise<string> {
  await createPromo(ctx, {
    code: 'WELCOME10',
    discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
    conditions: [{ type: 'MAX_USES_PER_USER', value: 1 }],
  });
  const order = await createOrder(ctx, {
    customerId: ctx.caller.userId,
    market: 'us',
    currency: 'usd',
    lines: [{ ...item, quantity: 2 }],
    shippingMethodId: 'standard',
    shipping: 500,
    paymentMethod: 'CREDIT_CARD',
    statuses: [{ status: 'PENDING' }, { status: 'PROCESSING' }, { status: 'SHIPPED' }],
    paymentStatus: [{ status: 'PENDING' }, { status: 'PAID' }],
    blocks: [{ id: 'address', type: 'TEXT', value: '1 Market Street, San Francisco' }],
  });
  return order.id;
}
