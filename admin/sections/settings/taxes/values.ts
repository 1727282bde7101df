/** The form values of the tax settings. The rates of one place are one row with a rate for each class. */
import type { Business, BusinessChange, Endpoint, TaxClass, TaxRate, TaxSettings } from '@souk/client';
import { isoName } from '../../../parts/form/iso.ts';
import { filledEndpoint } from '../endpoint-fields.tsx';
import { codeFor } from '../shipping/codes.ts';

export const STANDARD = 'standard';

/** A rate without an ID is new. */
type RowRate = { id: string; classId: string; bps: number };
export type TaxRow = { country: string; state: string; zips: string[]; name: string; rates: RowRate[] };
type Origin = { country: string; state: string; zip: string };

export type TaxValues = {
  origin: Origin;
  oss: boolean;
  /** Empty if each shipping method decides. */
  shipping: string;
  vatCheck: boolean;
  provider: Endpoint | undefined;
  classes: TaxClass[];
  rows: TaxRow[];
};

export function readTaxes({ configs: { tax = {}, taxClasses = [], taxRates = [], profile } }: Business): TaxValues {
  const home = { country: /^[A-Z]{2}$/.test(profile?.address?.country ?? '') ? profile!.address!.country! : '' };
  const { origin = home, oss = false, shipping = '', vatCheck = true, provider } = tax;
  const place = typeof origin === 'string' ? { country: origin } : origin;
  return {
    origin: { state: '', zip: '', ...place },
    oss,
    shipping,
    vatCheck,
    provider,
    classes: taxClasses,
    rows: toRows(taxRates),
  };
}

type TaxConfigs = { tax: TaxSettings; taxClasses: TaxClass[]; taxRates: TaxRate[] };

/** The settings as the API expects them. */
export function taxConfigs({ origin, oss, shipping, vatCheck, provider, classes, rows }: TaxValues): TaxConfigs {
  const { country, state, zip } = origin;
  const endpoint = filledEndpoint(provider);
  const narrow = { ...(state.trim() ? { state: state.trim() } : {}), ...(zip.trim() ? { zip: zip.trim() } : {}) };
  return {
    tax: {
      ...(country ? { origin: Object.keys(narrow).length > 0 ? { country, ...narrow } : country } : {}),
      oss,
      ...(shipping ? { shipping } : {}),
      ...(vatCheck ? {} : { vatCheck }),
      ...(endpoint ? { provider: endpoint } : {}),
    },
    taxClasses: classes,
    taxRates: toRates(rows),
  };
}

/** Sends only the changed parts, because there can be thousands of rates. */
export function writeTaxes(values: TaxValues, changes: Partial<TaxValues>): BusinessChange {
  const { tax, taxClasses, taxRates } = taxConfigs(values);
  return {
    configs: {
      ...(['origin', 'oss', 'shipping', 'vatCheck', 'provider'].some((name) => name in changes) ? { tax } : {}),
      ...(changes.classes ? { taxClasses } : {}),
      ...(changes.rows ? { taxRates } : {}),
    },
  };
}

function toRows(rates: readonly TaxRate[]): TaxRow[] {
  const rows = new Map<string, TaxRow>();
  for (const { id, name, country, state = '', zips = [], classId, bps } of rates) {
    let key = JSON.stringify([country, state, zips, name]);
    // A second rate for the same class is a separate row.
    while (rows.get(key)?.rates.some((rate) => rate.classId === classId)) key += '+';
    const row = rows.get(key) ?? { country, state, zips, name, rates: [] };
    row.rates.push({ id, classId, bps });
    rows.set(key, row);
  }
  return [...rows.values()];
}

function toRates(rows: readonly TaxRow[]): TaxRate[] {
  const taken = rows.flatMap(({ rates }) => rates.map(({ id }) => id).filter(Boolean));
  return rows.flatMap(({ country, state, zips, name, rates }) =>
    rates.map(({ id: given, classId, bps }) => {
      const id = given || codeFor([country, state, classId].filter(Boolean).join('-'), taken, 'rate');
      if (!given) taken.push(id);
      return {
        id,
        name: name.trim(),
        country,
        ...(state.trim() ? { state: state.trim() } : {}),
        ...(zips.length > 0 ? { zips } : {}),
        classId,
        bps,
      };
    }),
  );
}

/** The index of the row's first rate, as in error responses. */
export const firstRateOf = (rows: readonly TaxRow[], row: number) =>
  rows.slice(0, row).reduce((sum, { rates }) => sum + rates.length, 0);

export const bpsOf = ({ rates }: TaxRow, classId: string) =>
  rates.find((rate) => rate.classId === classId)?.bps ?? null;

/** Null removes the rate. */
export function withBps(row: TaxRow, classId: string, bps: number | null): TaxRow {
  const others = row.rates.filter((rate) => rate.classId !== classId);
  if (bps === null) return { ...row, rates: others };
  const known = row.rates.some((rate) => rate.classId === classId);
  return {
    ...row,
    rates: known
      ? row.rates.map((rate) => (rate.classId === classId ? { ...rate, bps } : rate))
      : [...row.rates, { id: '', classId, bps }],
  };
}

/** `standard` always exists, even if it isn't listed. */
export const classesOf = (classes: readonly TaxClass[], standard: string): TaxClass[] =>
  classes.some(({ id }) => id === STANDARD) ? [...classes] : [{ id: STANDARD, name: standard }, ...classes];

/** `United States, CA`. */
export const placeOf = ({ country, state, zips }: TaxRow) =>
  [isoName('region', country), state, zips.slice(0, 3).join(', ')].filter(Boolean).join(', ');
