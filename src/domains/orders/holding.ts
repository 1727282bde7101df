import type { Tx } from '../../db/connection.ts';
import type { FieldError } from '../../shared/errors.ts';
import { returnStock, takeStock } from '../catalog/index.ts';
import { stockProblems } from './basket.ts';
import type { OrderRow } from './order.ts';
import { returnPromo, usePromo } from './promo-queries.ts';
import { PROMO_MESSAGES } from './promo-rules.ts';

/** Who moved it; null: the service itself. */
type Actor = { userId: string | null; nowSeconds: number };

/** Takes stock and promo use for an order that holds none. With errors, nothing may be kept of this transaction. */
export async function takeForOrder(tx: Tx, order: OrderRow, actor: Actor, field: string): Promise<FieldError[]> {
  const lacking = await takeStock(tx, { ...moveOf(order, actor), reason: 'ORDER' });
  if (lacking.length > 0) {
    const problems = stockProblems(order.doc.lines, lacking, 'lines');
    return problems.map((problem) => ({ ...problem, field }));
  }
  const used = order.doc.promoId === null || (await usePromo(tx, useOf(order, order.doc.promoId)));
  return used ? [] : [{ field, error: 'PROMO_USED_UP', message: PROMO_MESSAGES.PROMO_USED_UP }];
}

/** Gives stock and promo use back. The order must be locked, and hold them. */
export async function returnFromOrder(tx: Tx, order: OrderRow, actor: Actor): Promise<void> {
  await returnStock(tx, { ...moveOf(order, actor), reason: 'ORDER' });
  if (order.doc.promoId !== null) await returnPromo(tx, useOf(order, order.doc.promoId));
}

const moveOf = (order: OrderRow, { userId, nowSeconds }: Actor) => ({
  businessId: order.businessId,
  lines: order.doc.lines,
  reference: order.id,
  userId,
  nowSeconds,
});

const useOf = (order: OrderRow, promoId: string) => ({
  businessId: order.businessId,
  promoId,
  userId: order.customerId,
});
