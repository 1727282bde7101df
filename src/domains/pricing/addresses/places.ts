/** Finds the settings that apply to a place: by country, state and postal code. The most specific match wins. Pure. */

/** The part of an address that prices depend on. */
export type Place = { country: string; state?: string | undefined; zip?: string | undefined };

type Area = {
  state?: string | undefined;
  states?: readonly string[] | undefined;
  zips?: readonly string[] | undefined;
};

/** `start`: the first characters of every postal code that matches. */
type ZipMatch = { start: string; matches(zip: string): boolean; specificity: number };

type Candidate<T> = ZipMatch & { value: T; position: number; states: ReadonlySet<string> | null };

export type PlaceIndex<T> = { find(place: Place): T | null };

/** A postal code counts more than a state, and a state more than a country. */
const ZIP_WEIGHT = 100;

const ANY_ZIP: ZipMatch = { start: '', matches: () => true, specificity: 0 };

/**
 * Entries are found by country and by the first characters of the postal code, so that a lookup reads few of them. Of two equally
 * specific entries, the first wins.
 */
export function indexPlaces<T>(entries: readonly (Area & { countries: readonly string[]; value: T })[]): PlaceIndex<T> {
  const byCountry = new Map<string, Map<string, Candidate<T>[]>>();
  for (const [position, { countries, zips = [], value, ...area }] of entries.entries()) {
    const states = statesOf(area);
    const patterns = zips.length === 0 ? [ANY_ZIP] : zips.map(compileZip);
    for (const pattern of patterns) {
      const specificity = pattern.specificity + (states === null ? 0 : 1);
      const candidate = { ...pattern, specificity, value, position, states };
      for (const country of countries) addTo(byCountry, country, candidate);
    }
  }
  return {
    find(place) {
      const [state, zip] = [normalize(place.state ?? ''), normalizeZip(place)];
      const byStart = byCountry.get(place.country);
      let best: Candidate<T> | null = null;
      for (let length = 0; byStart && length <= zip.length; length++) {
        for (const each of byStart.get(zip.slice(0, length)) ?? []) {
          const isInside = each.matches(zip) && (each.states === null || each.states.has(state));
          if (isInside && isBetter(each, best)) best = each;
        }
      }
      return best?.value ?? null;
    },
  };
}

function statesOf({ state, states = state === undefined ? [] : [state] }: Area): ReadonlySet<string> | null {
  return states.length === 0 ? null : new Set(states.map(normalize));
}

function addTo<T>(byCountry: Map<string, Map<string, Candidate<T>[]>>, country: string, candidate: Candidate<T>): void {
  const byStart = byCountry.get(country) ?? new Map<string, Candidate<T>[]>();
  byCountry.set(country, byStart);
  const candidates = byStart.get(candidate.start);
  if (candidates) candidates.push(candidate);
  else byStart.set(candidate.start, [candidate]);
}

const isBetter = <T>(a: Candidate<T>, b: Candidate<T> | null) =>
  b === null || a.specificity > b.specificity || (a.specificity === b.specificity && a.position < b.position);

/** `80*` is a prefix, `81000-81999` a range of codes of the same length, and anything else a single code. */
function compileZip(pattern: string): ZipMatch {
  const text = normalize(pattern);
  if (text.endsWith('*')) {
    const start = withoutSeparators(text.slice(0, -1));
    return { start, matches: (zip) => zip.startsWith(start), specificity: ZIP_WEIGHT + 2 * start.length };
  }
  const [from = '', to = '', ...rest] = text.split('-').map(withoutSeparators);
  if (to === '' || rest.length > 0 || from.length !== to.length) {
    const code = withoutSeparators(text);
    return { start: code, matches: (zip) => zip === code, specificity: ZIP_WEIGHT + 2 * code.length + 1 };
  }
  const { length } = from;
  const start = from.slice(0, sharedLength(from, to));
  return {
    start,
    matches: (zip) => zip.length >= length && from <= zip.slice(0, length) && zip.slice(0, length) <= to,
    specificity: ZIP_WEIGHT + 2 * start.length,
  };
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

const normalize = (text: string) => text.trim().toUpperCase();
const withoutSeparators = (text: string) => text.replaceAll(/[\s-]/g, '');

/** The last four digits of a US ZIP+4 code don't matter. */
function normalizeZip({ country, zip = '' }: Place): string {
  const code = withoutSeparators(normalize(zip));
  return country === 'US' ? code.slice(0, 5) : code;
}
