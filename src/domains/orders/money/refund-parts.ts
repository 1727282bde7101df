/**
 * The parts of a refund: lines, with their quantities, and shipping. Amounts are the amounts that the customer gets back, tax included.
 * Pure.
 */
import { type FieldError, invalid } from '../../../shared/errors.ts';
import {
  displayOf,
  lineId,
  multiplyRoundHalfUp,
  type StoredLine,
  spread,
  type TaxDetails,
  type TaxMode,
  type Totals,
  withTaxDetails,
} from '../../pricing/index.ts';
import type { RefundLineInput, RefundParts } from './schemas.ts';

/** The price of an order, from its document. */
export type SoldDoc = Totals & Partial<TaxDetails> & { taxMode: TaxMode; lines: StoredLine[] };

type Value = { amount: number; tax: number };
type LineValue = Value & { lineId: string; quantity: number };
type Values = { lines: LineValue[]; shipping: Value };

const sum = (values: readonly { amount: number }[]) => values.reduce((whole, { amount }) => whole + amount, 0);
export const sumParts = ({ lines, shipping }: RefundParts | Values) => sum(lines) + shipping.amount;

/** The amounts that the customer paid for each line and for shipping, after discount. They add up to the total. */
export function lineValues(doc: SoldDoc): Values {
  const { taxIncluded } = displayOf(doc);
  const { lines, shippingTax, subtotal, total } = withTaxDetails(doc);
  const listed = lines.map(({ totalPrice, discount }) => Math.max(0, totalPrice - discount));
  const discount = lines.reduce((whole, line) => whole + line.discount, 0);
  // Net prices of an exempt order are lower than its listed prices, which include the tax.
  const net = taxIncluded ? listed : spread(Math.max(0, subtotal - discount), listed);
  const gross = net.map((amount, i) => amount + (taxIncluded ? 0 : (lines[i]!.tax ?? 0)));
  const whole = gross.reduce((all, amount) => all + amount, 0);
  // Staff can enter totals that are lower than the lines.
  const amounts = whole > total ? spread(total, gross) : gross;
  const shipping = Math.max(0, total - whole);
  return {
    lines: lines.map((line, i) => ({
      lineId: lineId(line, i),
      quantity: line.quantity,
      amount: amounts[i]!,
      tax: Math.min(line.tax ?? 0, amounts[i]!),
    })),
    shipping: { amount: shipping, tax: Math.min(shippingTax, shipping) },
  };
}

/** The values that are left after these refunds. */
export function valuesLeft(doc: SoldDoc, previous: readonly RefundParts[]): Values {
  const { lines, shipping } = lineValues(doc);
  const without = (value: Value, parts: readonly Value[]): Value => ({
    amount: Math.max(0, value.amount - sum(parts)),
    tax: Math.max(0, value.tax - parts.reduce((whole, { tax }) => whole + tax, 0)),
  });
  return {
    lines: lines.map((line) => {
      const parts = previous.flatMap((each) => each.lines.filter((part) => part.lineId === line.lineId));
      const refunded = parts.reduce((whole, { quantity }) => whole + quantity, 0);
      return { ...line, ...without(line, parts), quantity: Math.max(0, line.quantity - refunded) };
    }),
    shipping: without(
      shipping,
      previous.map((each) => each.shipping),
    ),
  };
}

/** Takes part of a value. The last part takes the rest of the tax. */
function share(left: Value, amount: number): Value {
  const tax = amount === left.amount ? left.tax : multiplyRoundHalfUp(left.tax, amount, left.amount);
  return { amount, tax: Math.min(tax, amount) };
}

/** Spreads a refund without items over the remaining values of the lines and shipping. Money beyond the order's total has no parts. */
export function spreadRefund(doc: SoldDoc, previous: readonly RefundParts[], amount: number): RefundParts {
  const left = valuesLeft(doc, previous);
  const weights = [...left.lines.map((line) => line.amount), left.shipping.amount];
  const shares = spread(Math.min(amount, sumParts(left)), weights);
  return {
    lines: left.lines
      .map((line, i) => ({ lineId: line.lineId, quantity: 0, restock: false, ...share(line, shares[i]!) }))
      .filter((line) => line.amount > 0),
    shipping: share(left.shipping, shares.at(-1)!),
  };
}

type PartsInput = {
  lines?: readonly RefundLineInput[] | undefined;
  /** The shipping amount to refund. */
  shipping?: number | undefined;
  /** The total amount, if it differs from the value of the items and the shipping. */
  amount?: number | undefined;
  /** Items of each line that are in returns without a refund. */
  inReturns?: ReadonlyMap<string, number>;
};

/** A refund of items and shipping, or of `amount` only. Throws 422 if that is more than what is left. */
export function refundParts(doc: SoldDoc, previous: readonly RefundParts[], input: PartsInput): RefundParts {
  const { lines = [], shipping = 0, amount, inReturns = new Map() } = input;
  const left = valuesLeft(doc, previous);
  const quantities = new Map(
    left.lines.map((line) => [line.lineId, line.quantity - (inReturns.get(line.lineId) ?? 0)]),
  );
  const errors = checkQuantities(lines, quantities);
  if (shipping > left.shipping.amount) {
    const message = `shipping must be at most ${left.shipping.amount}, the amount left to refund.`;
    errors.push({ field: 'shipping', error: 'OUT_OF_RANGE', message });
  }
  if (errors.length > 0) throw invalid(errors);
  const chosen: RefundParts = {
    lines: lines.map(({ lineId, quantity, restock = false }) => {
      const line = left.lines.find((each) => each.lineId === lineId)!;
      const value = multiplyRoundHalfUp(line.amount, quantity, line.quantity);
      return { lineId, quantity, restock, ...share(line, value) };
    }),
    shipping: share(left.shipping, shipping),
  };
  const rest = (amount ?? sumParts(chosen)) - sumParts(chosen);
  if (rest < 0) return lowered(chosen, amount!);
  return rest === 0 ? chosen : added(chosen, spreadRefund(doc, [...previous, chosen], rest));
}

export function checkQuantities(
  lines: readonly { lineId: string; quantity: number }[],
  left: ReadonlyMap<string, number>,
  what = 'refund',
): FieldError[] {
  return lines.flatMap(({ lineId: id, quantity }, i): FieldError[] => {
    const error = (field: string, code: string, message: string) => [
      { field: `lines[${i}].${field}`, error: code, message },
    ];
    const most = left.get(id);
    if (most === undefined) return error('lineId', 'NOT_FOUND', 'The order has no line with this ID.');
    if (lines.findIndex((each) => each.lineId === id) < i)
      return error('lineId', 'DUPLICATE', 'Each line can appear only once.');
    if (quantity <= most) return [];
    return error('quantity', 'OUT_OF_RANGE', `quantity must be at most ${most}, the quantity left to ${what}.`);
  });
}

function lowered({ lines, shipping }: RefundParts, amount: number): RefundParts {
  const shares = spread(amount, [...lines.map((line) => line.amount), shipping.amount]);
  return {
    lines: lines.map((line, i) => ({ ...line, ...share(line, shares[i]!) })),
    shipping: share(shipping, shares.at(-1)!),
  };
}

/** Splits a refund in two: the first contains the items and pays `amount`, the second pays the rest. */
export function splitParts(parts: RefundParts, amount: number): [first: RefundParts, rest: RefundParts] {
  const first = lowered(parts, amount);
  const minus = (a: Value, b: Value): Value => ({ amount: a.amount - b.amount, tax: a.tax - b.tax });
  const lines = parts.lines.map((line, i) => ({
    lineId: line.lineId,
    quantity: 0,
    restock: false,
    ...minus(line, first.lines[i]!),
  }));
  return [first, { lines: lines.filter((line) => line.amount > 0), shipping: minus(parts.shipping, first.shipping) }];
}

function added(parts: RefundParts, more: RefundParts): RefundParts {
  const plus = (a: Value, b: Value): Value => ({ amount: a.amount + b.amount, tax: a.tax + b.tax });
  const others = more.lines.filter(({ lineId }) => !parts.lines.some((each) => each.lineId === lineId));
  return {
    lines: [
      ...parts.lines.map((line) => {
        const extra = more.lines.find(({ lineId }) => lineId === line.lineId);
        return extra ? { ...line, ...plus(line, extra) } : line;
      }),
      ...others,
    ],
    shipping: plus(parts.shipping, more.shipping),
  };
}

type StoredRefund = { status: string; parts: object | null };

/**
 * The parts of all refunds of an order that were made or are pending. Refunds without parts are distributed across the order. Money beyond the order's
 * total, such as a second payment, is refunded first.
 */
export function previousParts(
  { doc, paid, refunded }: { doc: SoldDoc; paid: number; refunded: number },
  rows: readonly StoredRefund[],
): RefundParts[] {
  const known = rows.flatMap(({ status, parts }) => (status !== 'FAILED' && parts ? [parts as RefundParts] : []));
  const rest = refunded - known.reduce((whole, parts) => whole + sumParts(parts), 0) - Math.max(0, paid - doc.total);
  return rest > 0 ? [...known, spreadRefund(doc, known, rest)] : known;
}
