/** The price of an imported order. Other systems round and add up by different rules. Pure. */
import { spread } from '../../pricing/index.ts';

export type DraftLine = {
  row: number;
  name: string;
  sku: string;
  quantity: number;
  /** Before discounts. */
  total: number;
  requiresShipping: boolean;
  isShipped: boolean;
};

export type OrderAmounts = {
  shipping: number;
  tax: number;
  discount: number;
  total: number;
  /** The amount received, before refunds. */
  paid: number;
  refunded: number;
  /** The sum of the items after discounts, if the file has it. */
  subtotal: number | null;
};

/**
 * Amounts for which total = subtotal + tax + shipping − discount. The file may have net or gross prices, and its
 * discount may or may not include the one on shipping: the interpretation that fits best is used. `rest` is the
 * remaining gap: if the total is higher, a line is added; if it is lower, the discount grows.
 */
export function balance(
  lines: readonly DraftLine[],
  { shipping, tax, discount: given, total, subtotal }: OrderAmounts,
) {
  const split = lines.flatMap(splitLine);
  const items = split.reduce((sum, line) => sum + line.totalPrice, 0);
  const afterDiscount = subtotal === null ? [] : [items - subtotal, items - subtotal - tax];
  const candidates = [given, ...afterDiscount]
    .filter((discount) => discount >= 0)
    .flatMap((discount) =>
      (['EXCLUSIVE', 'INCLUSIVE'] as const).map((taxMode) => {
        const rest = total - (items - discount + shipping + (taxMode === 'EXCLUSIVE' ? tax : 0));
        return { taxMode, discount, rest };
      }),
    );
  const { taxMode, rest, ...best } = candidates.sort((a, b) => Math.abs(a.rest) - Math.abs(b.rest))[0]!;
  if (rest > 0) split.push(...splitLine({ ...OTHER, total: rest }));
  const discount = best.discount + Math.max(0, -rest);
  const gross = items + Math.max(0, rest);
  const onItems = taxMode === 'INCLUSIVE' ? Math.min(tax, gross) : 0;
  const onShipping = taxMode === 'INCLUSIVE' ? tax - onItems : 0;
  const base = Math.max(1, gross - onItems + shipping - onShipping - discount);
  const shares = spread(
    Math.min(discount, gross),
    split.map(({ totalPrice }) => totalPrice),
  );
  return {
    lines: split.map((line, i) => ({ ...line, discount: shares[i]! })),
    taxMode,
    subtotal: gross - onItems,
    tax,
    taxBps: Math.min(10_000, Math.round((tax * 10_000) / base)),
    shipping: shipping - onShipping,
    discount,
    total,
    rest,
  };
}

const OTHER = { row: 0, name: 'Other charges', sku: '', quantity: 1, requiresShipping: false, isShipped: false };

/** Two lines if the amount can't be divided by the quantity: 3 for 10.00 are 2 × 3.33 and 1 × 3.34. */
export function splitLine({ name, sku, quantity, total, requiresShipping }: DraftLine) {
  const unitPrice = Math.floor(total / quantity);
  const rest = total - unitPrice * quantity;
  const line = (count: number, price: number) => ({
    type: 'PRODUCT_VARIANT' as const,
    variantId: 'main',
    name,
    sku,
    quantity: count,
    unitPrice: price,
    totalPrice: count * price,
    requiresShipping,
  });
  return [
    ...(quantity > rest ? [line(quantity - rest, unitPrice)] : []),
    ...(rest > 0 ? [line(rest, unitPrice + 1)] : []),
  ];
}
