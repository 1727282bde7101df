import { FORMATS } from './formats.ts';

const EU_MEMBERS = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
const names = new Map<string, Intl.DisplayNames>();

/** Whether it is an ISO 3166-1 alpha-2 code, in upper case. */
export const isCountry = (code: string) => Object.hasOwn(FORMATS, code);

export const isEuMember = (code: string) => EU_MEMBERS.has(code);

/** `locale` must be one of the service's languages, because the names for each locale are kept in memory. */
export function countryName(code: string, locale = 'en'): string {
  const found = names.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region' });
  names.set(locale, found);
  return isCountry(code) ? found.of(code)! : code;
}

let sorted: string[] | undefined;

/** The codes of all countries, sorted by their English name. */
export function listCountries(): readonly string[] {
  sorted ??= Object.keys(FORMATS).sort((a, b) => countryName(a).localeCompare(countryName(b), 'en'));
  return sorted;
}
