/** Finds the settings that apply to a place: by country, state and postal code. The most specific match wins. Pure. */

/** The part of an address that prices depend on. */
export type Place = { country: string; state?: string | undefined; zip?: string | undefined };

type Area = {
  state?: string | undefined;
  states?: readonly string[] | undefined;
  zips?: readonly string[] | undefined;
};

type ZipMatch = { matches(zip: string): boolean; specificity: number };

type Entry<T> = { value: T; states: ReadonlySet<string> | null; zips: readonly ZipMatch[] | null };

export type PlaceIndex<T> = { find(place: Place): T | null };

/** A postal code counts more than a state, and a state more than a country. */
const ZIP_WEIGHT = 100;

/** Entries are found by key and country. Of two equally specific entries, the first wins. */
export function indexPlaces<T>(entries: readonly (Area & { countries: readonly string[]; value: T })[]): PlaceIndex<T> {
  const byCountry = new Map<string, Entry<T>[]>();
  for (const { countries, state, states = state === undefined ? [] : [state], zips = [], value } of entries) {
    const entry: Entry<T> = {
      value,
      states: states.length === 0 ? null : new Set(states.map(normalize)),
      zips: zips.length === 0 ? null : zips.map(compileZip).sort((a, b) => b.specificity - a.specificity),
    };
    for (const country of countries) byCountry.set(country, [...(byCountry.get(country) ?? []), entry]);
  }
  return {
    find(place) {
      const [state, zip] = [normalize(place.state ?? ''), normalizeZip(place)];
      let [best, highest]: [T | null, number] = [null, -1];
      for (const entry of byCountry.get(place.country) ?? []) {
        const specificity = specificityOf(entry, state, zip);
        if (specificity > highest) [best, highest] = [entry.value, specificity];
      }
      return best;
    },
  };
}

/** -1 if the entry does not contain the place. */
function specificityOf({ states, zips }: Entry<unknown>, state: string, zip: string): number {
  if (states !== null && !states.has(state)) return -1;
  const ofState = states === null ? 0 : 1;
  if (zips === null) return ofState;
  const match = zips.find((each) => each.matches(zip));
  return match ? match.specificity + ofState : -1;
}

/** `80*` is a prefix, `81000-81999` a range of codes of the same length, and anything else a single code. */
function compileZip(pattern: string): ZipMatch {
  const text = normalize(pattern);
  if (text.endsWith('*')) {
    const prefix = squeeze(text.slice(0, -1));
    return { matches: (zip) => zip.startsWith(prefix), specificity: ZIP_WEIGHT + 2 * prefix.length };
  }
  const [from = '', to = '', ...rest] = text.split('-').map(squeeze);
  if (to === '' || rest.length > 0 || from.length !== to.length) {
    const code = squeeze(text);
    return { matches: (zip) => zip === code, specificity: ZIP_WEIGHT + 2 * code.length + 1 };
  }
  const { length } = from;
  return {
    matches: (zip) => zip.length >= length && from <= zip.slice(0, length) && zip.slice(0, length) <= to,
    specificity: ZIP_WEIGHT + 2 * sharedLength(from, to),
  };
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

const normalize = (text: string) => text.trim().toUpperCase();
const squeeze = (text: string) => text.replaceAll(/[\s-]/g, '');

/** The last four digits of a US code don't matter. */
function normalizeZip({ country, zip = '' }: Place): string {
  const code = squeeze(normalize(zip));
  return country === 'US' ? code.slice(0, 5) : code;
}
