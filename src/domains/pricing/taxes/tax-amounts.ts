/** The tax on a cart: rounded half up once for each rate, then distributed over its lines by largest remainder. Pure. */
import type { TaxQuote } from '../../../providers/tax/port.ts';
import { multiplyRoundHalfUp, spread, sum } from '../amounts.ts';
import type { TaxLine } from '../schemas.ts';

export type TaxMode = 'EXCLUSIVE' | 'INCLUSIVE';

/** Equal rates are the same object. `country` is missing for the rate of a market. */
export type Rate = { name: string; bps: number; country?: string | undefined };

/** The rates that apply to a cart. */
export type Taxes = {
  rateOf(taxClassId: string | undefined): Rate;
  shipping: Rate | 'PROPORTIONAL';
  /** The customer owes the tax. */
  isReverseCharge: boolean;
  /** Amounts from a tax provider, which replace the rates. */
  quoted?: TaxQuote | null | undefined;
};

/** One rate for everything: the market's. */
export function flatTaxes(bps: number): Taxes {
  const rate = { name: 'Tax', bps };
  return { rateOf: () => rate, shipping: rate, isReverseCharge: false };
}

export type TaxDetails = {
  taxLines: TaxLine[];
  shippingTax: number;
  taxExempt: 'REVERSE_CHARGE' | null;
};

type Taxed = TaxDetails & {
  tax: number;
  taxBps: number;
  lines: { tax: number; taxBps: number }[];
  /** The tax that the listed prices contain and the net amounts don't. */
  taxInside: { lines: number; shipping: number };
};

type TaxedCart = {
  /** Amounts after discount, as listed. */
  lines: readonly { taxClassId: string | undefined; amount: number }[];
  shipping: number;
  taxMode: TaxMode;
  taxes: Taxes;
};

/** The lines of one rate, by index, and the shipping that is taxed with them. */
type Group = { rate: Rate; lines: number[]; shipping: number };

export function taxCart(cart: TaxedCart): Taxed {
  const { lines, taxMode, taxes } = cart;
  if (taxes.quoted && !taxes.isReverseCharge) return quotedTax(cart, taxes.quoted);
  const groups = groupByRate(cart);
  const lineTaxes = lines.map(() => 0);
  let shippingTax = 0;
  const taxLines = groups.map(({ rate, lines: members, shipping }): TaxLine => {
    const amounts = members.map((i) => lines[i]!.amount);
    const gross = sum(amounts) + shipping;
    const divisor = taxMode === 'EXCLUSIVE' ? 10_000 : 10_000 + rate.bps;
    const amount = multiplyRoundHalfUp(gross, rate.bps, divisor);
    const onShipping = multiplyRoundHalfUp(shipping, rate.bps, divisor);
    const shares = spread(amount - onShipping, amounts);
    for (const [n, i] of members.entries()) lineTaxes[i] = shares[n]!;
    shippingTax += onShipping;
    const base = taxMode === 'EXCLUSIVE' ? gross : gross - amount;
    const { name, bps, country } = rate;
    return { name, bps, base, amount, ...(country === undefined ? {} : { country }) };
  });
  const isInside = taxMode === 'INCLUSIVE';
  const taxInside = { lines: isInside ? sum(lineTaxes) : 0, shipping: isInside ? shippingTax : 0 };
  if (taxes.isReverseCharge) return { ...reverseCharge(taxLines, lines.length), taxInside };
  return {
    tax: sum(taxLines.map(({ amount }) => amount)),
    taxBps: effectiveBps(taxLines),
    taxLines: taxLines.filter(({ bps, base, country }) => base > 0 && (bps > 0 || country !== undefined)),
    lines: lines.map(({ taxClassId }, i) => ({ tax: lineTaxes[i]!, taxBps: taxes.rateOf(taxClassId).bps })),
    shippingTax,
    taxExempt: null,
    taxInside,
  };
}

function groupByRate({ lines, shipping, taxes }: TaxedCart): Group[] {
  const groups = new Map<Rate, Group>();
  const groupOf = (rate: Rate) => {
    const group = groups.get(rate) ?? { rate, lines: [], shipping: 0 };
    groups.set(rate, group);
    return group;
  };
  for (const [i, { taxClassId }] of lines.entries()) groupOf(taxes.rateOf(taxClassId)).lines.push(i);
  if (shipping === 0) return [...groups.values()];
  if (taxes.shipping !== 'PROPORTIONAL') groupOf(taxes.shipping).shipping = shipping;
  else {
    const members = [...groups.values()];
    const weights = members.map((group) => sum(group.lines.map((i) => lines[i]!.amount)));
    // Free items have no value to split by, so all shipping gets the first rate.
    const shares = sum(weights) === 0 ? weights.map((_, i) => (i === 0 ? shipping : 0)) : spread(shipping, weights);
    for (const [i, group] of members.entries()) group.shipping = shares[i]!;
  }
  return [...groups.values()];
}

/** The rate itself or, if there are several rates, the tax as a share of the net amounts. */
function effectiveBps(taxLines: readonly TaxLine[]): number {
  const taxed = taxLines.filter(({ base }) => base > 0);
  const [first = taxLines[0]] = taxed;
  if (taxed.every(({ bps }) => bps === first!.bps)) return first?.bps ?? 0;
  return multiplyRoundHalfUp(sum(taxed.map(({ amount }) => amount)), 10_000, sum(taxed.map(({ base }) => base)));
}

/** If the provider lists no tax lines, one line covers everything. */
function quotedTax({ lines, shipping, taxMode }: TaxedCart, quoted: TaxQuote): Taxed {
  const isInside = taxMode === 'INCLUSIVE';
  const bpsOf = (tax: number, amount: number) => {
    const net = isInside ? amount - tax : amount;
    return net > 0 ? multiplyRoundHalfUp(tax, 10_000, net) : 0;
  };
  const onLines = sum(quoted.lines.map((line) => line.tax));
  const tax = onLines + quoted.shipping;
  const amount = sum(lines.map((line) => line.amount)) + (quoted.shipping > 0 ? shipping : 0);
  const whole = { name: 'Sales tax', bps: bpsOf(tax, amount), base: isInside ? amount - tax : amount, amount: tax };
  return {
    tax,
    taxBps: whole.bps,
    taxLines: quoted.taxLines ?? (tax > 0 ? [whole] : []),
    lines: lines.map((line, i) => ({ tax: quoted.lines[i]!.tax, taxBps: bpsOf(quoted.lines[i]!.tax, line.amount) })),
    shippingTax: quoted.shipping,
    taxExempt: null,
    taxInside: { lines: isInside ? onLines : 0, shipping: isInside ? quoted.shipping : 0 },
  };
}

function reverseCharge(taxLines: readonly TaxLine[], lines: number) {
  const base = sum(taxLines.map((line) => line.base));
  const { country } = taxLines[0]!;
  return {
    tax: 0,
    taxBps: 0,
    taxLines: [{ name: 'Reverse charge', bps: 0, base, amount: 0, ...(country === undefined ? {} : { country }) }],
    lines: Array.from({ length: lines }, () => ({ tax: 0, taxBps: 0 })),
    shippingTax: 0,
    taxExempt: 'REVERSE_CHARGE' as const,
  };
}
