/** The tax on a price as displayed: one row per rate, as on an invoice. Pure. */
import type { displayOf } from '../pricing.ts';
import type { TaxLine } from '../schemas.ts';

type TaxRow = { name: string; amount: number };

/** Rates of markets have no name. */
export function taxRowsOf(
  { taxIncluded, tax }: ReturnType<typeof displayOf>,
  lines: readonly TaxLine[] = [],
): TaxRow[] {
  if (tax === 0) return [];
  if (lines.every(({ name }) => name === 'Tax')) return [{ name: taxIncluded ? 'VAT' : 'Tax', amount: tax }];
  return lines
    .filter(({ amount }) => amount > 0)
    .map(({ name, bps, amount }) => ({ name: name.includes('%') ? name : `${name} ${bps / 100}%`, amount }));
}
