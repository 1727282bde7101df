/**
 * The refunded and returned parts of an order. They are derived from its refunds and returns and stored in its document, so that
 * the parts left to ship and to refund can be computed without reading them. Pure.
 */
import { spread } from '../../pricing/index.ts';
import { previousParts, type SoldDoc, sumParts, valuesLeft } from './refund-parts.ts';
import type { Refundable, RefundParts } from './schemas.ts';

type AfterSaleLine = {
  lineId: string;
  /** Refunded quantity and money. */
  refunded: number;
  amount: number;
  tax: number;
  /** The quantity in returns that are not refunded yet. */
  inReturns: number;
  /** The part of both quantities that was not shipped and won't be. */
  removed: number;
  /** The part of `removed` that was in stock already: the order was canceled, or the items were unstocked. */
  returned?: number;
};
export type AfterSale = {
  lines: AfterSaleLine[];
  shipping: { amount: number; tax: number };
  /** The refunded value that paid for exchanges. Missing if none did. */
  exchanged?: number;
};

type Money = { doc: SoldDoc & { afterSale?: AfterSale }; paid: number; refunded: number };
type StoredRefund = { id: string; status: string; amount: number; parts: object | null };
/** Items in a return. */
export type CountedReturn = {
  refundId: string | null;
  /** The items were exchanged: their value paid for other items. */
  isExchange: boolean;
  lines: readonly { lineId: string; quantity: number; unshipped: number; returned?: number }[];
};

export function afterSaleOf(
  order: Money,
  refunds: readonly StoredRefund[],
  returns: readonly CountedReturn[],
): AfterSale {
  const parts = previousParts(order, refunds);
  const lines = new Map<string, AfterSaleLine>();
  const lineOf = (lineId: string): AfterSaleLine => {
    const line = lines.get(lineId) ?? { lineId, refunded: 0, amount: 0, tax: 0, inReturns: 0, removed: 0 };
    lines.set(lineId, line);
    return line;
  };
  for (const part of parts.flatMap((each) => each.lines)) {
    const line = lineOf(part.lineId);
    line.refunded += part.quantity;
    line.amount += part.amount;
    line.tax += part.tax;
    line.removed += part.unshipped ?? 0;
    countReturned(line, part);
  }
  const made = new Map(refunds.filter(({ status }) => status !== 'FAILED').map(({ id, amount }) => [id, amount]));
  let exchanged = 0;
  for (const { refundId, isExchange, lines: items } of returns) {
    if (refundId !== null && isExchange) exchanged += made.get(refundId) ?? 0;
    for (const item of items) {
      const line = lineOf(item.lineId);
      if (refundId === null || !made.has(refundId)) line.inReturns += item.quantity;
      line.removed += item.unshipped;
      countReturned(line, item);
    }
  }
  const shipping = { amount: 0, tax: 0 };
  for (const part of parts) {
    shipping.amount += part.shipping.amount;
    shipping.tax += part.shipping.tax;
  }
  return { lines: [...lines.values()], shipping, ...(exchanged > 0 ? { exchanged } : {}) };
}

function countReturned(line: AfterSaleLine, { returned = 0 }: { returned?: number }): void {
  if (returned > 0) line.returned = (line.returned ?? 0) + returned;
}

/** Orders from older versions, and orders without refunds or returns, have none. */
export const storedAfterSale = (order: Money): AfterSale => order.doc.afterSale ?? afterSaleOf(order, [], []);

/** The amount left to refund. It never exceeds the paid amount that was not refunded. */
export function refundableOf(order: Money): Refundable {
  const money = Math.max(0, order.paid - order.refunded);
  if (money === 0) return { amount: 0, shipping: 0, lines: [] };
  const afterSale = storedAfterSale(order);
  const refunded: RefundParts = {
    lines: afterSale.lines.map(({ lineId, refunded: quantity, amount, tax }) => ({
      lineId,
      quantity,
      restock: false,
      amount,
      tax,
    })),
    shipping: afterSale.shipping,
  };
  const left = valuesLeft(order.doc, [refunded]);
  const weights = [...left.lines.map(({ amount }) => amount), left.shipping.amount];
  const amounts = spread(Math.min(money, sumParts(left)), weights);
  const lines = left.lines.map(({ lineId, quantity: unrefunded }, i) => {
    const { inReturns = 0 } = afterSale.lines.find((each) => each.lineId === lineId) ?? {};
    const quantity = Math.max(0, unrefunded - inReturns);
    const amount = unrefunded === quantity ? amounts[i]! : Math.round((amounts[i]! * quantity) / unrefunded);
    return { lineId, quantity, amount };
  });
  return { amount: money, shipping: amounts.at(-1)!, lines: lines.filter((line) => line.quantity + line.amount > 0) };
}
