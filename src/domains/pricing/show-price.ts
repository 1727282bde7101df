/** The price of a stored quote or order as the API shows it. Pure. */
import { multiplyRoundHalfUp, spread, sum } from './amounts.ts';
import { type StoredLine, showLine } from './cart.ts';
import { displayOf, type Totals } from './pricing.ts';
import type { TaxDetails, TaxMode } from './taxes/tax-amounts.ts';

/** Orders stored by older versions have no tax details. */
type StoredPrice = Totals & Partial<TaxDetails> & { taxMode: TaxMode; lines: readonly StoredLine[] };

export function showPrice(stored: StoredPrice) {
  const price = withTaxDetails(stored);
  const { taxLines, shippingTax, taxExempt } = price;
  return { taxLines, shippingTax, taxExempt, lines: price.lines.map(showLine), display: displayOf(price) };
}

/** Orders of this version have all details. They aren't copied, because each event of an order shows its price. */
const hasTaxDetails = <P extends StoredPrice>(price: P): price is P & TaxDetails =>
  price.taxLines !== undefined && price.shippingTax !== undefined && price.taxExempt !== undefined;

/** An order without tax details has one rate. */
export function withTaxDetails<P extends StoredPrice>(price: P): P & TaxDetails {
  if (hasTaxDetails(price)) return price;
  if (price.taxLines !== undefined) {
    return {
      ...price,
      taxLines: price.taxLines,
      shippingTax: price.shippingTax ?? 0,
      taxExempt: price.taxExempt ?? null,
    };
  }
  const { lines, tax, taxBps, taxMode, subtotal, shipping, discount } = price;
  const items = sum(lines.map(({ totalPrice }) => totalPrice));
  const amounts = lines.map((line) => line.totalPrice - line.discount);
  const onLines =
    taxMode === 'INCLUSIVE'
      ? items - subtotal
      : shipping === 0
        ? tax
        : multiplyRoundHalfUp(Math.max(0, sum(amounts)), taxBps, 10_000);
  const shippingTax = sum(amounts) === 0 ? tax : Math.max(0, tax - Math.max(0, onLines));
  const shares = spread(tax - shippingTax, amounts);
  const base = subtotal + shipping - discount;
  return {
    ...price,
    lines: lines.map((line, i) => ({ ...line, tax: shares[i]!, taxBps: tax === 0 ? 0 : taxBps })),
    taxLines: tax === 0 ? [] : [{ name: 'Tax', bps: taxBps, base, amount: tax }],
    shippingTax,
    taxExempt: null,
  };
}
