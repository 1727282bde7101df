/** The order with the new items in an exchange. */
import { isDeepStrictEqual } from 'node:util';
import { systemStatus } from '../../../shared/records/status-history.ts';
import { applyStatuses } from '../changing/apply-statuses.ts';
import type { LineInput, OrderInput } from '../changing/schemas.ts';
import type { Command, Steps } from '../context.ts';
import { countMail } from '../mails/order-mails.ts';
import type { ProviderResults } from '../money/provider-results.ts';
import type { OrderRow } from '../order.ts';
import { createOrderWithin, providerResultsFor } from '../placing/create-order.ts';
import { lockOrder, updateOrderRow } from '../queries.ts';

type Exchange = { returnId: string; lines: LineInput[]; prepared: PreparedExchange | null };
/** The providers' results for the tax on the new order. */
export type PreparedExchange = { input: OrderInput; results: ProviderResults | null };

/** For the same customer, market and addresses. Shipping is free, unless staff add it later. */
function orderInput(order: OrderRow, lines: LineInput[]): OrderInput {
  const { market, currency, shippingAddress = null, billingAddress = null, locale = null } = order.doc;
  return {
    customerId: order.customerId,
    market,
    currency,
    lines,
    shippingAddress,
    billingAddress,
    locale,
    email: order.customerEmail,
    status: 'PROCESSING',
  };
}

/** Call it before the transaction of `createExchange`. */
export async function prepareExchange(ctx: Steps, order: OrderRow, lines: LineInput[]): Promise<PreparedExchange> {
  const input = orderInput(order, lines);
  return { input, results: await providerResultsFor(ctx, input) };
}

/** Priced like any other order: by the tax provider, or by the tax rates if it is down or the order has changed since it was prepared. */
export async function createExchange(ctx: Command, order: OrderRow, exchanged: Exchange): Promise<OrderRow> {
  const { returnId, lines, prepared } = exchanged;
  const input = orderInput(order, lines);
  const results = isDeepStrictEqual(prepared?.input, input) ? prepared!.results : null;
  const { id } = await createOrderWithin(ctx, input, results);
  const created = (await lockOrder(ctx.db, ctx.businessId, id))!;
  const exchange = { orderId: order.id, returnId, credit: 0 };
  return updateOrderRow(ctx, { ...created, doc: { ...created.doc, exchange } });
}

/** Records the value of the returned items as paid. The rest is still due. `refund`: the difference that is refunded. */
export async function payWithCredit(ctx: Command, id: string, credit: number, refund: number): Promise<void> {
  const order = (await lockOrder(ctx.db, ctx.businessId, id))!;
  const exchange = { ...order.doc.exchange!, credit, ...(refund > 0 ? { refund } : {}) };
  const next = { ...order, paid: credit, doc: { ...order.doc, exchange } };
  if (credit < order.doc.total) {
    updateOrderRow(ctx, next);
    return;
  }
  const paymentStatus = [systemStatus('PAID', ctx.now)];
  // The email about the exchange already says how it was paid.
  const counted = { ...next, doc: countMail(next.doc, 'PAID') ?? next.doc };
  await applyStatuses(ctx, counted, { paymentStatus, userId: ctx.caller.userId, before: order });
}
