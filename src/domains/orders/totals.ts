/** The sums of an order that staff write: what is left out is computed, what is given must add up. Pure. */
import type { FieldError } from '../../shared/errors.ts';
import { type Basket, findTooLarge, MAX_MONEY, priceBasket, type Sums } from '../pricing/index.ts';

export type GivenSums = {
  subtotal?: number | undefined;
  tax?: number | undefined;
  shipping?: number | undefined;
  discount?: number | undefined;
  total?: number | undefined;
};

export type ManualLine = { productId: string; unitPrice: number; quantity: number; totalPrice?: number | undefined };

/** What the sums that are left out follow from. */
export type PriceTerms = Omit<Basket, 'lines'>;

export type Totals = Sums & { lines: { totalPrice: number; discount: number }[] };

export function addUp(
  lines: readonly ManualLine[],
  given: GivenSums,
  terms: PriceTerms,
): { totals: Totals } | { errors: FieldError[] } {
  const tooLarge = findTooLarge(lines);
  if (tooLarge !== null) {
    const field = tooLarge === 'sum' ? 'lines' : `lines[${tooLarge}].quantity`;
    return { errors: [{ field, error: 'OUT_OF_RANGE', message: `The amount may be at most ${MAX_MONEY}.` }] };
  }
  const computed = priceBasket({ ...terms, lines, ...givenParts(given, terms) });
  const sums = {
    subtotal: given.subtotal ?? computed.subtotal,
    tax: given.tax ?? computed.tax,
    taxBps: terms.taxBps,
    shipping: given.shipping ?? computed.shipping,
    discount: given.discount ?? computed.discount,
  };
  const total = sums.subtotal + sums.tax + sums.shipping - sums.discount;
  const errors = checkSums(lines, computed.lines, { ...sums, total }, given, terms);
  return errors.length > 0 ? { errors } : { totals: { ...sums, total, lines: computed.lines } };
}

/** A given shipping is without the tax in it, so that with INCLUSIVE prices none is taken out of it again. */
function givenParts({ shipping, discount }: GivenSums, terms: PriceTerms): Partial<PriceTerms> {
  const taxable = terms.shipping.taxable && terms.taxMode === 'EXCLUSIVE';
  return {
    ...(shipping === undefined ? {} : { shipping: { amount: shipping, taxable } }),
    ...(discount === undefined
      ? {}
      : { discounts: [{ type: 'ITEMS_FIXED', amount: discount }], discountedProducts: null }),
  };
}

function checkSums(
  lines: readonly ManualLine[],
  computed: readonly { totalPrice: number }[],
  sums: Sums,
  given: GivenSums,
  { taxMode }: PriceTerms,
): FieldError[] {
  const errors: FieldError[] = [];
  const report = (field: string, error: string, message: string) => errors.push({ field, error, message });
  for (const [i, { totalPrice }] of lines.entries()) {
    const expected = computed[i]!.totalPrice;
    if (totalPrice !== undefined && totalPrice !== expected) {
      report(`lines[${i}].totalPrice`, 'TOTAL_MISMATCH', `unitPrice × quantity is ${expected}.`);
    }
  }
  const items = computed.reduce((whole, line) => whole + line.totalPrice, 0);
  const least = taxMode === 'INCLUSIVE' ? items - sums.tax : items;
  if (sums.subtotal > items || sums.subtotal < least) {
    report('subtotal', 'TOTAL_MISMATCH', `The lines add up to ${items}.`);
  }
  if (sums.total < 0) report('discount', 'OUT_OF_RANGE', 'The discount is more than there is to pay.');
  else if (sums.total > MAX_MONEY) report('total', 'OUT_OF_RANGE', `The total may be at most ${MAX_MONEY}.`);
  else if (given.total !== undefined && given.total !== sums.total) {
    report('total', 'TOTAL_MISMATCH', `subtotal + tax + shipping - discount is ${sums.total}.`);
  }
  return errors;
}
