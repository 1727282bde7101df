/**
 * Items that an order has to ship but does not hold: they had returned to stock with a refund and were sold to others before the refund
 * failed. They must not return to stock a second time. Pure.
 */
import type { OrderDoc } from '../order.ts';
import type { ShipmentLine } from '../shipments/schemas.ts';
import type { RefundParts } from './schemas.ts';

export function withUnstocked(doc: OrderDoc, lines: readonly ShipmentLine[]): OrderDoc {
  const { unstocked: _, ...rest } = doc;
  const left = lines.filter(({ quantity }) => quantity > 0);
  return left.length === 0 ? rest : { ...rest, unstocked: left };
}

/** Adds lines that are sold out. */
export function addUnstocked(doc: OrderDoc, lines: readonly ShipmentLine[]): OrderDoc {
  const quantities = new Map(doc.unstocked?.map(({ lineId, quantity }) => [lineId, quantity]));
  for (const { lineId, quantity } of lines) quantities.set(lineId, (quantities.get(lineId) ?? 0) + quantity);
  return withUnstocked(
    doc,
    [...quantities].map(([lineId, quantity]) => ({ lineId, quantity })),
  );
}

/** A refund that covers such items takes them out of the order. */
export const removeUnstocked = (doc: OrderDoc, { lines }: RefundParts): OrderDoc =>
  addUnstocked(
    doc,
    lines.flatMap(({ lineId, returned = 0 }) =>
      doc.unstocked?.some((line) => line.lineId === lineId) ? [{ lineId, quantity: -returned }] : [],
    ),
  );
