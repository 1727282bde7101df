/** The classes and rates that the VAT data adds to the form or changes in it. Rates for states and postal codes don't change. */
import type { TaxClass, VatRates } from '@souk/client';
import { isoName } from '../../../parts/form/iso.ts';
import { locale } from '../../../text/index.ts';
import { bpsOf, type TaxRow, withBps } from './values.ts';

/** `previous` is null if there was no rate. */
type Cell = { classId: string; bps: number; previous: number | null };

const isWhole = ({ state, zips }: TaxRow) => state === '' && zips.length === 0;

export function planRates(vat: VatRates, classes: readonly TaxClass[], rows: readonly TaxRow[]) {
  const next = [...rows];
  const cells = new Map<string, Cell[]>();
  for (const { country, classId, bps, name } of vat.taxRates) {
    const ofCountry = (row: TaxRow) => isWhole(row) && row.country === country;
    const withClass = next.findIndex((row) => ofCountry(row) && bpsOf(row, classId) !== null);
    const at = withClass >= 0 ? withClass : next.findIndex(ofCountry);
    const row = next[at] ?? { country, state: '', zips: [], name, rates: [] };
    cells.set(country, [...(cells.get(country) ?? []), { classId, bps, previous: bpsOf(row, classId) }]);
    if (at >= 0) next[at] = withBps(row, classId, bps);
    else next.push(withBps(row, classId, bps));
  }
  const all = [...cells.values()].flat();
  const known = new Set(classes.map(({ id }) => id));
  const { compare } = new Intl.Collator(locale());
  return {
    classes: [...classes, ...vat.taxClasses.filter(({ id }) => !known.has(id))],
    rows: next,
    countries: [...cells]
      .map(([country, each]) => ({ country, cells: each }))
      .sort((a, b) => compare(isoName('region', a.country), isoName('region', b.country))),
    counts: {
      added: all.filter(({ previous }) => previous === null).length,
      changed: all.filter(({ previous, bps }) => previous !== null && previous !== bps).length,
      same: all.filter(({ previous, bps }) => previous === bps).length,
    },
  };
}
