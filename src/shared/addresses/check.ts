import type { FieldError } from '../errors.ts';
import { isCountry } from './countries.ts';
import { type ADDRESS_FIELDS, type AddressFormat, findAddressFormat } from './describe.ts';
import { FORMATS } from './formats.ts';
import { findState } from './states.ts';

/** An address as a client sends it. */
export type AddressText = {
  [field in (typeof ADDRESS_FIELDS)[number] | 'country']?: string | null | undefined;
};

/** An error for each field that the country requires or that does not exist there. `field` is the path of the address. */
export function checkAddress(address: AddressText, field: string): FieldError[] {
  const text = (name: keyof AddressText) => address[name]?.trim() ?? '';
  const problem = (name: string, error: string, message: string): FieldError => ({
    field: field ? `${field}.${name}` : name,
    error,
    message,
  });
  const country = text('country').toUpperCase();
  if (country === '') return [problem('country', 'REQUIRED', 'Country is required.')];
  const format = findAddressFormat(country);
  if (!format) {
    return [problem('country', 'INVALID_VALUE', 'Country must be an ISO 3166-1 alpha-2 code such as DE.')];
  }
  const missing = format.fields
    .filter(({ name, required }) => required && text(name) === '')
    .map(({ name, label }) => problem(name, 'REQUIRED', `${label} is required.`));
  const errors = [checkState(format, text('state')), checkZip(format, text('zip'))]
    .filter((each) => each !== null)
    .map(({ name, message }) => problem(name, 'INVALID_VALUE', message));
  return [...missing, ...errors];
}

type Problem = { name: string; message: string } | null;

function checkState({ country, fields, states }: AddressFormat, text: string): Problem {
  const field = fields.find(({ name }) => name === 'state');
  if (!field || text === '' || states.length === 0 || findState(country, text)) return null;
  const { code, name } = states[0]!;
  const example = code === name ? name : `${name} (${code})`;
  return { name: 'state', message: `Enter a valid ${inSentence(field.label)}, for example ${example}.` };
}

function checkZip({ country, fields, zipExample }: AddressFormat, text: string): Problem {
  const field = fields.find(({ name }) => name === 'zip');
  if (!field || text === '' || findZip(country, text) !== null) return null;
  return { name: 'zip', message: `Enter a valid ${inSentence(field.label)}, for example ${zipExample}.` };
}

const inSentence = (label: string) => (/^[A-Z]{2}/.test(label) ? label : label.toLowerCase());

/** Trims all fields, and normalizes country, state and postal code: `us`, `California` → `US`, `CA`. */
export function normalizeAddress<T extends object>(address: T): T {
  const trimmed = Object.fromEntries(
    Object.entries(address).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as AddressText;
  const country = trimmed.country?.toUpperCase() ?? '';
  if (!isCountry(country)) return trimmed as T;
  const { state, zip } = trimmed;
  return {
    ...trimmed,
    country,
    ...(state ? { state: findState(country, state)?.code ?? state } : {}),
    ...(zip ? { zip: findZip(country, zip) ?? zip } : {}),
  } as T;
}

const patterns = new Map<string, RegExp>();

/** The postal code in the country's format. The prefix is optional in the input. Null if it is invalid. */
function findZip(country: string, text: string): string | null {
  const { zip, prefix = `${country}-` } = FORMATS[country]!;
  if (zip === undefined) return text;
  // At most 200 characters: the maximum of a part of an address. The patterns are linear too.
  const pattern = patterns.get(country) ?? new RegExp(`^(?:${zip})$`);
  patterns.set(country, pattern);
  const upper = text.toUpperCase().replace(/\s+/g, ' ');
  if (pattern.test(upper)) return upper;
  // Also the letter that some countries put before the code, as in D-80331.
  // At most 200 characters: see above.
  const bare = upper.replace(new RegExp(`^(?:(?:${country}|${prefix.replace(/\W/g, '')})[- ]?|[A-Z]-)`), '');
  return [bare, `${prefix}${bare}`, bare.replaceAll(/[ -]/g, '')].find((each) => pattern.test(each)) ?? null;
}
