/** Net amounts and taxes of an order or a refund by rate, for invoices and credit notes. Pure. */
import { spread, type TaxLine, withTaxDetails } from '../../pricing/index.ts';
import { lineValues } from '../money/refund-parts.ts';
import type { OrderDoc } from '../order.ts';
import type { TaxShare } from './snapshot-schemas.ts';

export function addShares(shares: readonly TaxShare[]): TaxShare[] {
  const byRate = new Map<number, TaxShare>();
  for (const { bps, net, tax } of shares) {
    const known = byRate.get(bps) ?? { bps, net: 0, tax: 0 };
    byRate.set(bps, { bps, net: known.net + net, tax: known.tax + tax });
  }
  return [...byRate.values()].sort((a, b) => b.bps - a.bps);
}

export function lineShares(doc: OrderDoc): TaxShare[] {
  const { lines } = withTaxDetails(doc);
  return lineValues(doc).lines.map(({ amount, tax }, i) => ({ bps: lines[i]!.taxBps ?? 0, net: amount - tax, tax }));
}

/**
 * Shipping by rate. Orders store only the total tax on shipping, so the share of a rate is its tax line minus the items. Untaxed shipping
 * has the rate 0.
 */
export function shippingShares(doc: OrderDoc): TaxShare[] {
  const { amount, tax } = lineValues(doc).shipping;
  if (amount === 0) return [];
  const { taxLines } = withTaxDetails(doc);
  const items = addShares(lineShares(doc));
  const rates = addShares(taxLines.map(({ bps, base, amount: taxed }) => ({ bps, net: base, tax: taxed })));
  const beyond = rates.map(({ bps, net, tax }) => {
    const known = items.find((each) => each.bps === bps) ?? { net: 0, tax: 0 };
    return { bps, net: net - known.net, tax: tax - known.tax };
  });
  const taxed = beyond.filter(({ net, tax }) => net !== 0 || tax !== 0);
  const rest = amount - tax - taxed.reduce((whole, { net }) => whole + net, 0);
  const isExact = rest >= 0 && taxed.every(({ net, tax }) => net > 0 && tax >= 0);
  if (isExact && taxed.reduce((whole, each) => whole + each.tax, 0) === tax) {
    return addShares([...taxed, { bps: 0, net: rest, tax: 0 }]).filter(({ net }) => net > 0);
  }
  // For totals from staff or a tax provider, shipping is taxed at the rate that applies to most of the net amount.
  const [most] = items.toSorted((a, b) => b.net - a.net);
  return [{ bps: tax > 0 ? (most?.bps ?? 0) : 0, net: amount - tax, tax }];
}

/** Part of the shipping, in the same proportions. */
export function shippingPart(doc: OrderDoc, { amount, tax }: { amount: number; tax: number }): TaxShare[] {
  if (amount === 0) return [];
  const shares = shippingShares(doc);
  const nets = spread(
    amount - tax,
    shares.map(({ net }) => net),
  );
  const taxes = spread(
    tax,
    shares.map((share) => share.tax),
  );
  return shares.map(({ bps }, i) => ({ bps, net: nets[i]!, tax: taxes[i]! }));
}

/** Tax lines with the names of the order's rates. */
export const namedTaxes = (shares: readonly TaxShare[], taxLines: readonly TaxLine[]): TaxLine[] =>
  addShares(shares).flatMap(({ bps, net: base, tax: amount }) => {
    const line = taxLines.find((each) => each.bps === bps);
    if (!line || (base === 0 && amount === 0)) return [];
    const { name, country } = line;
    return [{ name, bps, base, amount, ...(country === undefined ? {} : { country }) }];
  });
