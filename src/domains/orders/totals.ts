/** The sums of an order that staff write: what is left out is computed, what is given must add up. Pure. */
import type { FieldError } from '../../shared/errors.ts';
import { findTooLarge, MAX_MONEY, priceBasket, type Sums, spread } from '../pricing/index.ts';

export type GivenSums = {
  subtotal?: number | undefined;
  tax?: number | undefined;
  shipping?: number | undefined;
  discount?: number | undefined;
  total?: number | undefined;
};

export type ManualLine = { productId: string; unitPrice: number; quantity: number; totalPrice?: number | undefined };

export type TaxTerms = { taxMode: 'EXCLUSIVE' | 'INCLUSIVE'; taxBps: number };

export type Totals = Sums & { lines: { totalPrice: number; discount: number }[] };

export function addUp(
  lines: readonly ManualLine[],
  given: GivenSums,
  terms: TaxTerms,
): { totals: Totals } | { errors: FieldError[] } {
  const tooLarge = findTooLarge(lines);
  if (tooLarge !== null) {
    const field = tooLarge === 'sum' ? 'lines' : `lines[${tooLarge}].quantity`;
    return { errors: [{ field, error: 'OUT_OF_RANGE', message: `The amount may be at most ${MAX_MONEY}.` }] };
  }
  const { taxMode, taxBps } = terms;
  const computed = priceBasket({
    ...{ lines, taxMode, taxBps },
    shipping: { amount: given.shipping ?? 0, taxable: false },
    discounts: [{ type: 'ITEMS_FIXED', amount: given.discount ?? 0 }],
    discountedProducts: null,
  });
  const sums = {
    subtotal: given.subtotal ?? computed.subtotal,
    tax: given.tax ?? computed.tax,
    taxBps,
    shipping: given.shipping ?? 0,
    discount: given.discount ?? 0,
  };
  const total = sums.subtotal + sums.tax + sums.shipping - sums.discount;
  const errors = checkSums(lines, computed.lines, { ...sums, total }, given, terms);
  if (errors.length > 0) return { errors };
  const items = computed.lines.map((line) => line.totalPrice);
  const shares = spread(
    Math.min(
      sums.discount,
      items.reduce((whole, item) => whole + item, 0),
    ),
    items,
  );
  return { totals: { ...sums, total, lines: items.map((totalPrice, i) => ({ totalPrice, discount: shares[i]! })) } };
}

function checkSums(
  lines: readonly ManualLine[],
  computed: readonly { totalPrice: number }[],
  sums: Sums,
  given: GivenSums,
  { taxMode }: TaxTerms,
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
