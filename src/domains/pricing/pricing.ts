/**
 * What a basket costs. One pure function for quote, checkout and orders; integers only, in minor units.
 *
 * Discount comes first, then tax, rounded once for the whole order. EXCLUSIVE: tax is added to the listed prices. INCLUSIVE:
 * the listed prices hold the tax, which is taken out of `subtotal` and of taxable shipping, so that the customer pays what
 * was listed. In both, total = subtotal + tax + shipping − discount.
 */
export const MAX_MONEY = 1_000_000_000_000;

type BasketLine = { productId: string; unitPrice: number; quantity: number };

export type Discount =
  | { type: 'ITEMS_PERCENTAGE'; bps: number }
  | { type: 'ITEMS_FIXED'; amount: number }
  | { type: 'SHIPPING_PERCENTAGE'; bps: number };

export type Basket = {
  lines: readonly BasketLine[];
  taxMode: 'EXCLUSIVE' | 'INCLUSIVE';
  taxBps: number;
  shipping: { amount: number; freeAbove?: number | undefined; taxable: boolean };
  discounts: readonly Discount[];
  /** Items discounts count for these products only; null: for all. */
  discountedProducts: ReadonlySet<string> | null;
};

export type Price = {
  /** One for each line of the basket. */
  lines: { totalPrice: number; discount: number }[];
  subtotal: number;
  tax: number;
  taxBps: number;
  shipping: number;
  discount: number;
  total: number;
};

/** Line totals and their sum must lie within MAX_MONEY: see `findTooLarge`. */
export function priceBasket(basket: Basket): Price {
  const { lines, taxBps, taxMode, shipping, discounts, discountedProducts } = basket;
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
    const tax = portion(taxed, taxBps, 10_000);
    return {
      ...result,
      subtotal: items,
      tax,
      shipping: listedShipping,
      total: items + tax + listedShipping - discount,
    };
  }
  const tax = portion(taxed, taxBps, 10_000 + taxBps);
  const taxInShipping = portion(taxedShipping, taxBps, 10_000 + taxBps);
  return {
    ...result,
    subtotal: items - (tax - taxInShipping),
    tax,
    shipping: listedShipping - taxInShipping,
    total: items + listedShipping - discount,
  };
}

/**
 * The first line whose total is beyond what money can be here, or 'sum' when the lines together are; null: all is well.
 * A product of a price and a quantity may pass 2^53, so it is compared before it is made.
 */
export function findTooLarge(lines: readonly { unitPrice: number; quantity: number }[]): number | 'sum' | null {
  let items = 0;
  for (const [i, { unitPrice, quantity }] of lines.entries()) {
    if (BigInt(unitPrice) * BigInt(quantity) > BigInt(MAX_MONEY)) return i;
    items += unitPrice * quantity;
  }
  return items > MAX_MONEY ? 'sum' : null;
}

/** Shares of `amount` in proportion to `weights`, by largest remainder: they add up exactly, and none passes its weight. */
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

/** Every discount is taken from the undiscounted amount; together they never pass it. */
function discountOn(amount: number, discounts: readonly Discount[], on: 'ITEMS' | 'SHIPPING'): number {
  let whole = 0;
  for (const discount of discounts) {
    if (!discount.type.startsWith(on)) continue;
    whole += discount.type === 'ITEMS_FIXED' ? discount.amount : portion(amount, discount.bps, 10_000);
  }
  return Math.min(whole, amount);
}

/** amount × numerator / denominator, half up. The product may pass 2^53. */
function portion(amount: number, numerator: number, denominator: number): number {
  return Number((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)));
}

const sum = (values: readonly number[]) => values.reduce((whole, value) => whole + value, 0);
