/**
 * The stock and the promo code use of an order. An order holds both unless it is CANCELLED, and the column `holds` records this. A
 * CANCELLED order still holds the stock that was shipped. Items in `unstocked` are not held. Checkout takes them in its pipeline, all other
 * code through this module.
 */
import type { EventSource } from '../../context/index.ts';
import { type FieldError, invalid } from '../../shared/errors.ts';
import {
  moveStock,
  notifyWaiting,
  returnStock,
  type StockLine,
  takeStock,
  type UnderstockedLine,
} from '../catalog/index.ts';
import { lineId, promoUsedUp, returnPromo, stockMessage, usePromo } from '../pricing/index.ts';
import type { PaymentCommand } from './context.ts';
import { unstockedOf } from './money/unstocked.ts';
import type { NewOrder } from './order.ts';
import { heldLines } from './shipments/fulfillment.ts';

/** The user who moves the stock; null for the system. */
type UserId = string | null;
type OrderItem = { lineId: string; quantity: number };

/** Takes the stock of unshipped items and the promo code use. If it returns errors, roll back the transaction. */
export async function takeForOrder(ctx: PaymentCommand, order: NewOrder, userId: UserId): Promise<FieldError[]> {
  const understocked = await takeStock(ctx.db, unshippedMove(ctx, order, userId));
  if (understocked.length > 0) return stockErrors(order.doc.lines, understocked, 'lines');
  const { promoId } = order.doc;
  return promoId === null || (await usePromo(ctx.db, promoUse(order, promoId))) ? [] : [promoUsedUp('promoCode')];
}

/** Returns the stock of unshipped items and the promo code use. The order must be locked and hold them. */
export async function returnFromOrder(ctx: PaymentCommand, order: NewOrder, userId: UserId): Promise<void> {
  await returnStock(ctx.db, unshippedMove(ctx, order, userId));
  await notifyOf(ctx, order);
  if (order.doc.promoId !== null) await returnPromo(ctx.db, promoUse(order, order.doc.promoId));
}

const unshippedMove = (ctx: PaymentCommand, order: NewOrder, userId: UserId) => ({
  ...stockMove({ now: ctx.now, source: ctx }, order, userId),
  lines: heldLines(order),
});

/** Returns some items in an order to stock. The order must be locked. */
export async function returnItems(
  ctx: PaymentCommand,
  order: NewOrder,
  items: readonly OrderItem[],
  userId: UserId,
): Promise<void> {
  const lines = stockLines(order, items);
  if (lines.length === 0) return;
  await returnStock(ctx.db, { ...stockMove({ now: ctx.now, source: ctx }, order, userId), lines });
  await notifyOf(ctx, order);
}

/** Takes some items in an order from stock again, all or nothing. The order must be locked. */
export async function takeItems(ctx: PaymentCommand, order: NewOrder, items: readonly OrderItem[]): Promise<boolean> {
  const move = stockMove({ now: ctx.now, source: ctx }, order, null);
  return (await takeStock(ctx.db, { ...move, lines: stockLines(order, items) })).length === 0;
}

const stockLines = ({ doc }: NewOrder, items: readonly OrderItem[]) =>
  doc.lines.flatMap((line, i): StockLine[] => {
    const item = items.find((each) => each.lineId === lineId(line, i));
    return item && item.quantity > 0 ? [{ ...line, quantity: item.quantity }] : [];
  });

const notifyOf = (ctx: PaymentCommand, { doc }: NewOrder) =>
  notifyWaiting(
    ctx,
    doc.lines.map(({ productId }) => productId),
  );

type Edit = { before: NewOrder; after: NewOrder; userId: UserId };

/** Adjusts stock and promo use by the difference between two versions of an order that holds them, or throws 422. */
export async function moveByDifference(ctx: PaymentCommand, { before, after, userId }: Edit): Promise<void> {
  // A single move takes and returns stock, so that all stock rows are locked in a consistent order.
  const taken = stockedLines(after).map((line): StockLine => ({ ...line, quantity: -line.quantity }));
  const understocked = await moveStock(ctx.db, {
    ...stockMove({ now: ctx.now, source: ctx }, before, userId),
    lines: [...stockedLines(before), ...taken],
  });
  if (understocked.length > 0) throw invalid(stockErrors(after.doc.lines, understocked, 'lines'));
  await notifyOf(ctx, before);
  await exchangePromo(ctx, before, after);
}

const stockedLines = ({ doc }: NewOrder): StockLine[] =>
  doc.lines.map((line, i) => ({ ...line, quantity: line.quantity - unstockedOf(doc, lineId(line, i)) }));

/** Returns the use of the previous promo code and uses the new code. Locks the codes in the order of their IDs. */
async function exchangePromo(ctx: PaymentCommand, before: NewOrder, after: NewOrder): Promise<void> {
  const [from, to] = [before.doc.promoId, after.doc.promoId];
  if (from === to) return;
  const returnPrevious = async () => from !== null && (await returnPromo(ctx.db, promoUse(before, from)));
  const useNew = async () => {
    if (to !== null && !(await usePromo(ctx.db, promoUse(after, to)))) throw invalid([promoUsedUp('promoCode')]);
  };
  const steps = [returnPrevious, useNew];
  if ((to ?? '') < (from ?? '')) steps.reverse();
  for (const step of steps) await step();
}

export const stockMove = ({ now, source }: { now: number; source: EventSource }, order: NewOrder, userId: UserId) => ({
  businessId: order.businessId,
  lines: order.doc.lines,
  reason: 'ORDER' as const,
  reference: order.id,
  userId,
  nowSeconds: now,
  source,
});

export const promoUse = (order: NewOrder, promoId: string) => ({
  businessId: order.businessId,
  promoId,
  userId: order.doc.promoUserId ?? order.customerId,
});

/** Returns an error for every line of an understocked variant, since all its lines draw on the same stock. */
export function stockErrors(
  lines: readonly StockLine[],
  understocked: readonly UnderstockedLine[],
  field: string,
): FieldError[] {
  return lines.flatMap((line, i) => {
    const short = understocked.find((each) => each.productId === line.productId && each.variantId === line.variantId);
    return short
      ? [{ field: `${field}[${i}].quantity`, error: 'INSUFFICIENT_STOCK', message: stockMessage(short.available) }]
      : [];
  });
}
