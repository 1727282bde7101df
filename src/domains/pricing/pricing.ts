/**
 * The price of a cart. One pure function for quotes, checkouts and orders, with integers in minor units only.
 *
 * The discount is applied first, then tax, rounded once for the whole order. EXCLUSIVE: tax is added to the listed prices.
 * INCLUSIVE: the listed prices contain the tax, which is subtracted from `subtotal` and from taxable shipping, so that the
 * customer pays the listed prices. In both modes, total = subtotal + tax + shipping − discount.
 */
export const MAX_MONEY = 1_000_000_000_000;

type CartLine = { productId: string; unitPrice: number; quantity: number };

export type Discount =
  | { type: 'ITEMS_PERCENTAGE'; bps: number }
  | { type: 'ITEMS_FIXED'; amount: number }
  | { type: 'SHIPPING_PERCENTAGE'; bps: number };

export type Cart = {
  lines: readonly CartLine[];
  taxMode: 'EXCLUSIVE' | 'INCLUSIVE';
  taxBps: number;
  shipping: { amount: number; freeAbove?: number | undefined; taxable: boolean };
  discounts: readonly Discount[];
  /** Item discounts apply to these products only; null for all. */
  discountedProducts: ReadonlySet<string> | null;
};

export type Sums = {
  subtotal: number;
  tax: number;
  taxBps: number;
  shipping: number;
  discount: number;
  total: number;
};

/** `lines` has one item per cart line. */
type Price = Sums & { lines: { totalPrice: number; discount: number }[] };

/** Line totals and their sum must not exceed MAX_MONEY: see `findTooLarge`. */
export function priceCart(cart: Cart): Price {
  const { lines, taxBps, taxMode, shipping, discounts, discountedProducts } = cart;
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

  const taxedShipping = shipping.taxable ? listedShipping - shippingDiscount : 0;
  const taxed = items - itemsDiscount + taxedShipping;
  const discount = itemsDiscount + shippingDiscount;
  const result = { lines: totals.map((totalPrice, i) => ({ totalPrice, discount: shares[i]! })), taxBps, discount };

  if (taxMode === 'EXCLUSIVE') {
    const tax = multiplyRoundHalfUp(taxed, taxBps, 10_000);
    return {
      ...result,
      subtotal: items,
      tax,
      shipping: listedShipping,
      total: items + tax + listedShipping - discount,
    };
  }
  const tax = multiplyRoundHalfUp(taxed, taxBps, 10_000 + taxBps);
  const taxInShipping = multiplyRoundHalfUp(taxedShipping, taxBps, 10_000 + taxBps);
  return {
    ...result,
    subtotal: items - (tax - taxInShipping),
    tax,
    shipping: listedShipping - taxInShipping,
    total: items + listedShipping - discount,
  };
}

/** The amounts to show to people. */
export type Display = Omit<Sums, 'taxBps'> & { taxIncluded: boolean };

type Displayed = Omit<Sums, 'taxBps'> & {
  taxMode: 'EXCLUSIVE' | 'INCLUSIVE';
  lines: readonly { totalPrice: number }[];
};

/**
 * Where listed prices include tax, customers see listed prices: `subtotal` is the sum of the lines, `shipping` is the listed
 * price, and `tax` is part of the total. Totals that don't add up this way, for example from an import, are shown net.
 */
export function displayOf({ taxMode, lines, subtotal, tax, shipping, discount, total }: Displayed): Display {
  const items = sum(lines.map((line) => line.totalPrice));
  const grossShipping = total + discount - items;
  if (taxMode === 'EXCLUSIVE' || grossShipping < shipping)
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

/** Splits `amount` in proportion to `weights`, by largest remainder: shares add up exactly, and none exceeds its weight. */
export function spread(amount: number, weights: readonly number[]): number[] {
  const whole = BigInt(sum(weights));
  if (amount === 0 || whole === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const shares = exact.map((value) => Number(value / whole));
  const byRemainder = exact.map((value, i) => ({ i, rest: value % whole }));
  byRemainder.sort((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1));
  let missing = amount - sum(shares);
  for (const { i } of byRemainder) {
    if (missing === 0) break;
    shares[i]!++;
    missing--;
  }
  return shares;
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

/** amount × numerator / denominator, rounded half up. The product may exceed 2^53. Tax and percentage discounts are rounded here. */
function multiplyRoundHalfUp(amount: number, numerator: number, denominator: number): number {
  return Number((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)));
}

const sum = (values: readonly number[]) => values.reduce((whole, value) => whole + value, 0);
