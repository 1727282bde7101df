import { NoEffect } from '../../../context/command.ts';
import { conflict, invalidField, notFound, unavailable } from '../../../shared/errors.ts';
import { requireStepUp } from '../../businesses/index.ts';
import {
  findPayment,
  issueRefund,
  KeyRefused,
  listRefunds,
  type RefundRow,
  reserveRefund,
} from '../../payments/index.ts';
import { type Command, command, type Steps } from '../context.ts';
import { emitChanges } from '../emit-order.ts';
import { ORDER_PURPOSE, type OrderRow, viewOrder } from '../order.ts';
import { findOrder, lockOrder, updateOrderRow } from '../queries.ts';
import type { Order } from '../schemas.ts';
import { unshippedQuantities } from '../shipments/fulfillment.ts';
import { storedAfterSale } from './after-sale.ts';
import { previousParts, refundParts, sumParts } from './refund-parts.ts';
import type { RefundInput, RefundParts } from './schemas.ts';
import { removeUnstocked, unstockedOf } from './unstocked.ts';
import { withAfterSale } from './with-after-sale.ts';

type RefundRequest = RefundInput & { orderId: string };
type Reserved = { refundId: string; orderId: string };

/**
 * Refunds an order. The amount and the items are first reserved in the order, so that refunds never exceed the paid amount and the
 * sold quantities. Then the provider makes the refund, with the refund's ID as the idempotency key, and the outcome is stored. If the
 * process crashes in between, a job finishes the refund.
 */
export const refundOrder = command({ execute: reserve, afterCommit: refund });

async function reserve(ctx: Command, { orderId, ...input }: RefundRequest): Promise<Reserved> {
  const { db: tx, businessId } = ctx;
  const order = await lockOrder(tx, businessId, orderId);
  if (!order) throw notFound('Order');
  checkMoney(order, input.amount ?? 1);
  const rows = await listRefunds(tx, { businessId, purpose: ORDER_PURPOSE, reference: orderId });
  const parts = withUnshipped(order, partsFor(order, rows, input));
  const { id: refundId } = await reserveParts(ctx, order, { ...input, amount: input.amount ?? sumParts(parts), parts });
  return { refundId, orderId };
}

function partsFor(order: OrderRow, rows: readonly RefundRow[], { lines, shipping, amount }: RefundInput): RefundParts {
  const previous = previousParts(order, rows);
  const left = order.paid - order.refunded;
  if (!lines && shipping === undefined) return refundParts(order.doc, previous, { amount: amount ?? left });
  const inReturns = new Map(storedAfterSale(order).lines.map((line) => [line.lineId, line.inReturns]));
  return refundParts(order.doc, previous, { lines, shipping, amount, inReturns });
}

/** Items that were not shipped are refunded first. Items in a canceled order and unstocked items are in stock already. */
function withUnshipped(order: OrderRow, parts: RefundParts): RefundParts {
  const left = unshippedQuantities(order);
  const lines = parts.lines.map((line) => {
    const unshipped = Math.min(line.quantity, left.get(line.lineId) ?? 0);
    const returned = order.holds ? Math.min(unshipped, unstockedOf(order.doc, line.lineId)) : unshipped;
    return unshipped > 0 ? { ...line, unshipped, ...(returned > 0 ? { returned } : {}) } : line;
  });
  return { ...parts, lines };
}

function checkMoney({ paid, refunded }: OrderRow, amount: number): void {
  const refundable = paid - refunded;
  if (refundable === 0) throw conflict('This order has nothing left to refund.');
  if (amount > refundable) {
    throw invalidField('amount', 'OUT_OF_RANGE', `amount must be at most ${refundable}, the refundable amount.`);
  }
}

type NewRefund = { amount: number; parts: RefundParts; reason?: string | undefined; paysBack?: boolean };

/**
 * Records a refund of a locked order. A job makes it, unless `issueOrderRefund` does so first. With `paysBack: false`, no money leaves
 * the business. `link` stores the ID of the refund in the return that it belongs to.
 */
export async function reserveParts(
  ctx: Command,
  order: OrderRow,
  refund: NewRefund,
  link?: (refundId: string) => Promise<void>,
): Promise<RefundRow> {
  const { amount, parts, reason, paysBack = true } = refund;
  if (amount === 0) throw conflict('There is nothing left to refund for these items.');
  checkMoney(order, amount);
  // All refunds for the order count, so that a large one can't be split.
  if (paysBack) await requireStepUp(ctx, ctx.businessId, order.refunded + amount);
  const row = await reserveRefund(ctx, {
    purpose: ORDER_PURPOSE,
    reference: order.id,
    amount,
    parts,
    reason: reason ?? null,
    userId: ctx.caller.userId,
    paymentId: paysBack ? await paymentFor(ctx, order, amount) : null,
  });
  await link?.(row.id);
  const doc = removeUnstocked(order.doc, parts.lines);
  const written = updateOrderRow(ctx, await withAfterSale(ctx, { ...order, doc, refunded: order.refunded + amount }));
  emitChanges(ctx, order, written);
  return row;
}

/**
 * The payment that the money goes back to. Null if it was not paid through a provider. For an exchange, the customer paid only part of the
 * price; staff refund the rest themselves.
 */
async function paymentFor(ctx: Command, order: OrderRow, amount: number): Promise<string | null> {
  const { businessId, id: reference, doc } = order;
  const payment = await findPayment(ctx.db, businessId, reference);
  if (payment?.status !== 'PAID') return null;
  if (!doc.exchange) return payment.id;
  const rows = await listRefunds(ctx.db, { businessId, purpose: ORDER_PURPOSE, reference });
  const made = rows.filter(({ paymentId, status }) => paymentId === payment.id && status !== 'FAILED');
  const left = payment.paid - made.reduce((sum, row) => sum + row.amount, 0);
  if (left > 0 && amount > left) {
    const message = `amount must be at most ${left}, the amount paid by card. Refund the value of the exchanged items separately.`;
    throw invalidField('amount', 'OUT_OF_RANGE', message);
  }
  return left > 0 ? payment.id : null;
}

async function refund(ctx: Steps, { refundId, orderId }: Reserved): Promise<Order> {
  await issueOrderRefund(ctx, refundId);
  return viewOrder((await findOrder(ctx.db, ctx.businessId, orderId))!, ctx.caller);
}

/** Waits for the provider. Throws if it refuses or does not respond. */
export async function issueOrderRefund(ctx: Steps, refundId: string): Promise<void> {
  const outcome = await issueRefund(ctx, refundId).catch((error) => {
    ctx.log.warn({ err: error, refundId }, 'Refund failed at the payment provider, retrying later');
    if (error instanceof KeyRefused)
      throw refused(`${error.message} The refund will be retried once you enter valid keys in the payment settings.`);
    throw unavailable(
      'The payment provider is not responding. The refund is pending and will be retried automatically.',
    );
  });
  if (outcome.status === 'FAILED') throw new NoEffect(refused(`The refund failed: ${outcome.reason}`));
}

const refused = (message: string) => invalidField('amount', 'PROVIDER_REFUSED', message);
