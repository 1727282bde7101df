/**
 * Items that an order has to ship but does not hold: they had returned to stock with a refund and were sold to others before the refund
 * failed. They must not return to stock a second time, so they are the first to leave the order. Pure.
 */
import { lineId } from '../../pricing/index.ts';
import type { OrderDoc } from '../order.ts';
import type { ShipmentLine } from '../shipments/schemas.ts';

export const unstockedOf = ({ unstocked }: Pick<OrderDoc, 'unstocked'>, id: string): number =>
  unstocked?.find((line) => line.lineId === id)?.quantity ?? 0;

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

/** Items that leave the order with a refund or a withdrawal. `returned`: how many of them are in stock already. */
type LeavingLine = { lineId: string; returned?: number };

export const removeUnstocked = (doc: OrderDoc, lines: readonly LeavingLine[]): OrderDoc =>
  addUnstocked(
    doc,
    lines.flatMap(({ lineId, returned = 0 }) =>
      unstockedOf(doc, lineId) > 0 ? [{ lineId, quantity: -returned }] : [],
    ),
  );

/** The items of a rejected withdrawal belong to the order again. */
export const restoreUnstocked = (doc: OrderDoc, lines: readonly LeavingLine[]): OrderDoc =>
  addUnstocked(
    doc,
    lines.map(({ lineId, returned = 0 }) => ({ lineId, quantity: returned })),
  );

/** Subtracts the quantities that staff removed from the lines. */
export function shortenUnstocked(before: OrderDoc, after: OrderDoc): OrderDoc {
  if (!before.unstocked) return after;
  const quantityIn = ({ lines }: OrderDoc, id: string) =>
    lines.find((line, i) => lineId(line, i) === id)?.quantity ?? 0;
  const left = before.unstocked.map(({ lineId: id, quantity }) => ({
    lineId: id,
    quantity: quantity - Math.max(0, quantityIn(before, id) - quantityIn(after, id)),
  }));
  return withUnstocked(after, left);
}
