/**
 * The price of a cart. One pure function for quotes, checkouts and orders, with integers in minor units only.
 *
 * The discount is applied first, then tax, rounded once for each rate. EXCLUSIVE: tax is added to the listed prices.
 * INCLUSIVE: the listed prices include tax, which is subtracted from `subtotal` and from taxable shipping, so that the
 * customer pays the listed prices. In both modes, total = subtotal + tax + shipping − discount.
 */
import { multiplyRoundHalfUp, spread, sum } from './amounts.ts';
import { type TaxDetails, type Taxes, type TaxMode, taxCart } from './taxes/tax-amounts.ts';

export const MAX_MONEY = 1_000_000_000_000;

type CartLine = { productId: string; unitPrice: number; quantity: number; taxClassId?: string | undefined };

export type Discount =
  | { type: 'ITEMS_PERCENTAGE'; bps: number }
  | { type: 'ITEMS_FIXED'; amount: number }
  | { type: 'SHIPPING_PERCENTAGE'; bps: number };

export type Cart = {
  lines: readonly CartLine[];
  taxMode: TaxMode;
  taxes: Taxes;
  shipping: { amount: number; freeAbove?: number | undefined; taxable: boolean };
  discounts: readonly Discount[];
  /** Item discounts apply to these products only; null for all. */
  discountedProducts: ReadonlySet<string> | null;
};

export type Totals = {
  subtotal: number;
  tax: number;
  taxBps: number;
  shipping: number;
  discount: number;
  total: number;
};

type LinePrice = { totalPrice: number; discount: number; tax: number; taxBps: number };

/** `lines` has one item per cart line. */
export type Price = Totals & TaxDetails & { lines: LinePrice[] };

/** Line totals and their sum must not exceed MAX_MONEY: see `findTooLarge`. */
export function priceCart(cart: Cart): Price {
  const { lines, taxes, taxMode, shipping, discounts, discountedProducts } = cart;
  const totals = lines.map((line) => line.unitPrice * line.quantity);
  const items = sum(totals);
  const eligible = lines.map((line, i) =>
    discountedProducts === null || discountedProducts.has(line.productId) ? totals[i]! : 0,
  );
  const listedShipping =
    shipping.freeAbove !== undefined && items >= shipping.freeAbove ? 0 : Math.min(shipping.amount, MAX_MONEY);
  const itemsDiscount = discountOn(sum(eligible), discounts, 'ITEMS');
  const shippingDiscount = discountOn(listedShipping, discounts, 'SHIPPING');
  const shares = spread(itemsDiscount, eligible);
  const discount = itemsDiscount + shippingDiscount;

  const taxed = taxCart({
    lines: lines.map(({ taxClassId }, i) => ({ taxClassId, amount: totals[i]! - shares[i]! })),
    shipping: shipping.taxable || taxes.quoted ? listedShipping - shippingDiscount : 0,
    taxMode,
    taxes,
  });
  const { taxInside, lines: taxedLines, ...tax } = taxed;
  const subtotal = items - taxInside.lines;
  const netShipping = listedShipping - taxInside.shipping;
  return {
    ...tax,
    lines: taxedLines.map((line, i) => ({ totalPrice: totals[i]!, discount: shares[i]!, ...line })),
    subtotal,
    shipping: netShipping,
    discount,
    total: subtotal + tax.tax + netShipping - discount,
  };
}

/** The amounts to display. */
export type Display = Omit<Totals, 'taxBps'> & { taxIncluded: boolean };

type Displayed = Omit<Totals, 'taxBps'> &
  Partial<Pick<TaxDetails, 'taxExempt'>> & {
    taxMode: TaxMode;
    lines: readonly { totalPrice: number }[];
  };

/**
 * Where listed prices include tax, customers see listed prices: `subtotal` is the sum of the lines, `shipping` is the listed
 * price, and `tax` is part of the total. Totals that don't add up this way, for example from an import, are shown net, and so
 * are exempt orders.
 */
export function displayOf({ taxMode, taxExempt, lines, ...totals }: Displayed): Display {
  const { subtotal, tax, shipping, discount, total } = totals;
  const items = sum(lines.map((line) => line.totalPrice));
  const grossShipping = total + discount - items;
  if (taxMode === 'EXCLUSIVE' || taxExempt || grossShipping < shipping)
    return { taxIncluded: false, subtotal, shipping, discount, tax, total };
  return { taxIncluded: true, subtotal: items, shipping: grossShipping, discount, tax, total };
}

/**
 * The index of the first line whose total exceeds the maximum, 'sum' if only the lines together exceed it, or null.
 * Price times quantity may exceed 2^53, so it is compared as a BigInt.
 */
export function findTooLarge(lines: readonly { unitPrice: number; quantity: number }[]): number | 'sum' | null {
  let items = 0;
  for (const [i, { unitPrice, quantity }] of lines.entries()) {
    if (BigInt(unitPrice) * BigInt(quantity) > BigInt(MAX_MONEY)) return i;
    items += unitPrice * quantity;
  }
  return items > MAX_MONEY ? 'sum' : null;
}

/** Each discount applies to the undiscounted amount; together they never exceed it. */
function discountOn(amount: number, discounts: readonly Discount[], on: 'ITEMS' | 'SHIPPING'): number {
  let whole = 0;
  for (const discount of discounts) {
    if (!discount.type.startsWith(on)) continue;
    whole += discount.type === 'ITEMS_FIXED' ? discount.amount : multiplyRoundHalfUp(amount, discount.bps, 10_000);
  }
  return Math.min(whole, amount);
}
