/** The order with the new items of an exchange. */
import { systemStatus } from '../../../shared/records/status-history.ts';
import { applyStatuses } from '../changing/apply-statuses.ts';
import type { Command } from '../context.ts';
import type { OrderRow } from '../order.ts';
import { createOrderWithin } from '../placing/create-order.ts';
import { lockOrder, updateOrderRow } from '../queries.ts';
import type { LineInput } from '../schemas.ts';

type Exchange = { returnId: string; lines: LineInput[] };

/** For the same customer, market and addresses. Shipping is free, unless staff add it later. */
export async function createExchange(ctx: Command, order: OrderRow, { returnId, lines }: Exchange): Promise<OrderRow> {
  const { market, currency, shippingAddress = null, billingAddress = null, locale = null } = order.doc;
  const { id } = await createOrderWithin(ctx, {
    customerId: order.customerId,
    market,
    currency,
    lines,
    shippingAddress,
    billingAddress,
    locale,
    email: order.customerEmail,
    status: 'PROCESSING',
  });
  const created = (await lockOrder(ctx.db, ctx.businessId, id))!;
  const exchange = { orderId: order.id, returnId, credit: 0 };
  return updateOrderRow(ctx, { ...created, doc: { ...created.doc, exchange } });
}

/** Books the value of the returned items as paid. The rest stays to be paid. */
export async function payWithCredit(ctx: Command, id: string, credit: number): Promise<void> {
  const order = (await lockOrder(ctx.db, ctx.businessId, id))!;
  const next = { ...order, paid: credit, doc: { ...order.doc, exchange: { ...order.doc.exchange!, credit } } };
  if (credit < order.doc.total) {
    updateOrderRow(ctx, next);
    return;
  }
  const paymentStatus = [systemStatus('PAID', ctx.now)];
  await applyStatuses(ctx, next, { paymentStatus, userId: ctx.caller.userId, before: order });
}
