/** Totals of an order that staff create or edit. Computes missing totals and checks that the provided ones add up. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import { type Cart, findTooLarge, MAX_MONEY, type Price, priceCart, spread, type Totals } from '../../pricing/index.ts';

export type InputTotals = {
  subtotal?: number | undefined;
  tax?: number | undefined;
  shipping?: number | undefined;
  discount?: number | undefined;
  total?: number | undefined;
};

export type ManualLine = {
  productId: string;
  unitPrice: number;
  quantity: number;
  totalPrice?: number | undefined;
  taxClassId?: string | undefined;
  weight?: number | undefined;
  requiresShipping?: boolean | undefined;
};

/** Input for computing missing totals. */
export type PriceTerms = Omit<Cart, 'lines'>;

export function composeTotals(
  lines: readonly ManualLine[],
  given: InputTotals,
  terms: PriceTerms,
): { totals: Price } | { errors: FieldError[] } {
  const tooLarge = findTooLarge(lines);
  if (tooLarge !== null) {
    const field = tooLarge === 'sum' ? 'lines' : `lines[${tooLarge}].quantity`;
    return { errors: [{ field, error: 'OUT_OF_RANGE', message: `The amount must be at most ${MAX_MONEY}.` }] };
  }
  const computed = priceCart({ ...terms, lines, ...inputTerms(given, terms) });
  const totals = {
    subtotal: given.subtotal ?? computed.subtotal,
    tax: given.tax ?? computed.tax,
    taxBps: computed.taxBps,
    shipping: given.shipping ?? computed.shipping,
    discount: given.discount ?? computed.discount,
  };
  const total = totals.subtotal + totals.tax + totals.shipping - totals.discount;
  const errors = checkTotals(lines, computed, { ...totals, total }, given, terms);
  return errors.length > 0 ? { errors } : { totals: { ...detailTax(computed, totals), ...totals, total } };
}

/** Tax that staff entered is distributed in proportion to the computed tax, or else to the items. */
function detailTax(computed: Price, { tax, taxBps, subtotal, shipping, discount }: Omit<Totals, 'total'>): Price {
  if (tax === computed.tax) return computed;
  const { lines, taxLines, shippingTax } = computed;
  const weights = [...lines.map((line) => line.tax), shippingTax];
  const amounts = [...lines.map((line) => line.totalPrice - line.discount), 0];
  const shares = spread(tax, computed.tax > 0 ? weights : amounts);
  const lineTaxes = shares.slice(0, lines.length);
  const one = { name: 'Tax', bps: taxBps, base: Math.max(0, subtotal + shipping - discount), amount: tax };
  const byRate = spread(
    tax,
    taxLines.map(({ amount }) => amount),
  );
  return {
    ...computed,
    lines: lines.map((line, i) => ({ ...line, tax: lineTaxes[i]! })),
    shippingTax: tax - lineTaxes.reduce((sum, share) => sum + share, 0),
    taxLines: computed.tax > 0 ? taxLines.map((line, i) => ({ ...line, amount: byRate[i]! })) : tax > 0 ? [one] : [],
    taxExempt: tax > 0 ? null : computed.taxExempt,
  };
}

/** Shipping that staff entered excludes tax. With INCLUSIVE prices it counts as untaxed, so that tax is not deducted twice. */
function inputTerms({ shipping, discount }: InputTotals, terms: PriceTerms): Partial<PriceTerms> {
  const taxable = terms.shipping.taxable && terms.taxMode === 'EXCLUSIVE';
  return {
    ...(shipping === undefined ? {} : { shipping: { amount: shipping, taxable } }),
    ...(discount === undefined
      ? {}
      : { discounts: [{ type: 'ITEMS_FIXED', amount: discount }], discountedProducts: null }),
  };
}

function checkTotals(
  lines: readonly ManualLine[],
  computed: Price,
  totals: Totals,
  given: InputTotals,
  { taxMode }: PriceTerms,
): FieldError[] {
  const errors: FieldError[] = [];
  const report = (field: string, error: string, message: string) => errors.push({ field, error, message });
  for (const [i, { totalPrice }] of lines.entries()) {
    const expected = computed.lines[i]!.totalPrice;
    if (totalPrice !== undefined && totalPrice !== expected) {
      report(`lines[${i}].totalPrice`, 'TOTAL_MISMATCH', `totalPrice must be ${expected} (unitPrice × quantity).`);
    }
  }
  const items = computed.lines.reduce((whole, line) => whole + line.totalPrice, 0);
  // For an exempt order, the tax is subtracted from gross prices.
  const min = computed.taxExempt ? computed.subtotal : taxMode === 'INCLUSIVE' ? items - totals.tax : items;
  if (totals.subtotal > items || totals.subtotal < min) {
    report('subtotal', 'TOTAL_MISMATCH', `subtotal must match the items, which add up to ${items}.`);
  }
  if (totals.total < 0) report('discount', 'OUT_OF_RANGE', 'discount must not exceed the amount to pay.');
  else if (totals.total > MAX_MONEY) report('total', 'OUT_OF_RANGE', `total must be at most ${MAX_MONEY}.`);
  else if (given.total !== undefined && given.total !== totals.total) {
    report('total', 'TOTAL_MISMATCH', `total must be ${totals.total} (subtotal + tax + shipping - discount).`);
  }
  return errors;
}
