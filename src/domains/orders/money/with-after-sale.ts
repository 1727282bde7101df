import { MAX_HISTORY, systemStatus } from '../../../shared/records/status-history.ts';
import { listRefunds, type RefundRow } from '../../payments/index.ts';
import { applyStatuses } from '../changing/apply-statuses.ts';
import type { PaymentCommand } from '../context.ts';
import { emitChanges } from '../emit-order.ts';
import { ORDER_PURPOSE, type OrderRow } from '../order.ts';
import { updateOrderRow } from '../queries.ts';
import { listReturnsOf } from '../returns/queries.ts';
import { countReturn } from '../returns/return.ts';
import { cancelledLines, OPEN, shipmentsOf, statusToAdd, unshippedQuantities } from '../shipments/fulfillment.ts';
import { returnItems, takeItems } from '../stock.ts';
import { afterSaleOf } from './after-sale.ts';
import type { RefundParts } from './schemas.ts';
import { addUnstocked } from './unstocked.ts';

/** A locked order after its refunds or returns have changed. */
export async function withAfterSale(ctx: PaymentCommand, order: OrderRow): Promise<OrderRow> {
  const next = await deriveAfterSale(ctx, order);
  if (!order.holds) await returnFreed(ctx, order, next);
  return next;
}

/**
 * The same after the provider refused a refund, or a refund that was made failed at the bank. Its unshipped items belong to the order
 * again: those that are in stock are taken again or, if the order is canceled, the others are returned. Lines that were sold again in the
 * meantime are `unstocked`.
 */
export async function withoutRefund(
  ctx: PaymentCommand,
  order: OrderRow,
  { parts }: RefundRow,
  { wasMade }: { wasMade: boolean },
): Promise<OrderRow> {
  const next = await deriveAfterSale(ctx, order);
  const { lines = [] } = (parts ?? {}) as Partial<RefundParts>;
  const items = lines.map(({ lineId, restock, unshipped = 0, returned = 0 }) => {
    const inStock = wasMade && restock ? unshipped : returned;
    return { lineId, quantity: order.holds ? inStock : unshipped - inStock };
  });
  if (!order.holds) {
    await returnItems(ctx, next, items, null);
    return next;
  }
  const soldOut: typeof items = [];
  for (const item of items) if (!(await takeItems(ctx, next, [item]))) soldOut.push(item);
  return { ...next, doc: addUnstocked(next.doc, soldOut) };
}

async function deriveAfterSale(ctx: PaymentCommand, order: OrderRow): Promise<OrderRow> {
  const { businessId, id } = order;
  const refunds = await listRefunds(ctx.db, { businessId, purpose: ORDER_PURPOSE, reference: id });
  const returns = (await listReturnsOf(ctx.db, businessId, id)).flatMap((row) => countReturn(row) ?? []);
  return { ...order, doc: { ...order.doc, afterSale: afterSaleOf(order, refunds, returns) } };
}

/**
 * If an order was canceled while items were reserved for a withdrawal, and the withdrawal is then rejected, they return to stock as well.
 */
async function returnFreed(ctx: PaymentCommand, before: OrderRow, after: OrderRow): Promise<void> {
  const reserved = ({ doc }: OrderRow) =>
    new Map(doc.afterSale?.lines.map(({ lineId, removed, returned = 0 }) => [lineId, removed - returned]));
  const still = reserved(after);
  const freed = [...reserved(before)].map(([lineId, quantity]) => ({
    lineId,
    quantity: quantity - (still.get(lineId) ?? 0),
  }));
  await returnItems(ctx, after, freed, null);
}

/**
 * Writes a locked order after items were refunded or withdrawn. If nothing is left to ship, it becomes SHIPPED; if nothing was
 * shipped either, CANCELLED.
 */
export async function writeSettled(ctx: PaymentCommand, order: OrderRow, before: OrderRow): Promise<OrderRow> {
  const isCancelled = OPEN.includes(order.status) && isAllCancelled(order);
  const status = isCancelled ? 'CANCELLED' : statusToAdd(order);
  if (cancelledLines(order).length > 0 && status !== null && order.doc.statuses.length < MAX_HISTORY) {
    return applyStatuses(ctx, order, { statuses: [systemStatus(status, ctx.now)], userId: null, before });
  }
  const written = updateOrderRow(ctx, order);
  emitChanges(ctx, before, written);
  return written;
}

const isAllCancelled = (order: OrderRow) =>
  shipmentsOf(order).length === 0 && [...unshippedQuantities(order).values()].every((quantity) => quantity === 0);
