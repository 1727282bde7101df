import type { EventSource } from '../../context/index.ts';
import type { FieldError } from '../../shared/errors.ts';
import { type LackingLine, returnStock, type StockLine, takeStock } from '../catalog/index.ts';
import { promoUsedUp, returnPromo, usePromo } from '../pricing/index.ts';
import type { PaymentCommand } from './context.ts';
import type { NewOrder } from './order.ts';

/**
 * Takes stock and promo use for an order that has none; `userId` null: by the service itself. With errors, this transaction
 * must be rolled back.
 */
export async function takeForOrder(ctx: PaymentCommand, order: NewOrder, userId: string | null): Promise<FieldError[]> {
  const lacking = await takeStock(ctx.db, moveOf({ now: ctx.now, source: ctx }, order, userId));
  if (lacking.length > 0) return stockProblems(order.doc.lines, lacking, 'lines');
  const { promoId } = order.doc;
  return promoId === null || (await usePromo(ctx.db, useOf(order, promoId))) ? [] : [promoUsedUp('promoCode')];
}

/** Gives stock and promo use back. The order must be locked, and have them. */
export async function returnFromOrder(ctx: PaymentCommand, order: NewOrder, userId: string | null): Promise<void> {
  await returnStock(ctx.db, moveOf({ now: ctx.now, source: ctx }, order, userId));
  if (order.doc.promoId !== null) await returnPromo(ctx.db, useOf(order, order.doc.promoId));
}

type Move = { now: number; source: EventSource };

export const moveOf = ({ now, source }: Move, order: NewOrder, userId: string | null) => ({
  businessId: order.businessId,
  lines: order.doc.lines,
  reason: 'ORDER' as const,
  reference: order.id,
  userId,
  nowSeconds: now,
  source,
});

export const useOf = (order: NewOrder, promoId: string) => ({
  businessId: order.businessId,
  promoId,
  userId: order.doc.promoUserId ?? order.customerId,
});

/** Lines of one variant ask for its stock together. */
export function stockProblems(
  lines: readonly StockLine[],
  lacking: readonly LackingLine[],
  field: string,
): FieldError[] {
  return lines.flatMap((line, i) => {
    const short = lacking.find((each) => each.productId === line.productId && each.variantId === line.variantId);
    const message = `Only ${short?.available} left.`;
    return short ? [{ field: `${field}[${i}].quantity`, error: 'INSUFFICIENT_STOCK', message }] : [];
  });
}
