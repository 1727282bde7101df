/** The VAT rates for the EU, the United Kingdom, Switzerland and Norway, in the form of tax classes and rates. */
import { readFileSync } from 'node:fs';
import type { VatRates } from '../schemas.ts';

type Data = {
  /** The day on which these rates applied. */
  date: string;
  classes: VatRates['taxClasses'];
  bps: Record<string, Record<string, number>>;
};

const { date, classes, bps }: Data = JSON.parse(readFileSync(new URL('./rates.json', import.meta.url), 'utf8'));

export const VAT_RATES: VatRates = {
  date,
  taxClasses: classes,
  taxRates: Object.entries(bps).flatMap(([country, rates]) =>
    classes.map(({ id: classId }) => ({
      id: `${country.toLowerCase()}-${classId}`,
      name: 'VAT',
      country,
      classId,
      bps: rates[classId]!,
    })),
  ),
};
