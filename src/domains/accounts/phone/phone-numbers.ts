import { createRequire } from 'node:module';
import { type FieldError, invalid } from '../../../shared/errors.ts';

const require = createRequire(import.meta.url);

/** Loaded on first use, because its data takes 13 MB and most processes never read a phone number. */
const parse: typeof import('libphonenumber-js/max').parsePhoneNumberFromString = (...given: [string]) =>
  require('libphonenumber-js/max').parsePhoneNumberFromString(...given);

/** The rate limit key for a number's country: the calling code and, if known, the country. */
export function countryOf(e164: string): string {
  const number = parse(e164);
  return `+${number?.countryCallingCode} ${number?.country ?? ''}`.trim();
}

/** The number in E.164 if `text` is a valid number with its country code, with any spacing; otherwise null. */
export function toE164(text: string): string | null {
  const number = parse(text, { extract: false });
  return number?.isValid() && !number.ext ? number.number : null;
}

export const badPhone = (field: string): FieldError => ({
  field,
  error: 'INVALID_FORMAT',
  message: `${field} must be a valid phone number with its country code, for example +4915112345678.`,
});

/** Throws 422 if the number is invalid. */
export function readPhone(text: string, field: string): string {
  const number = toE164(text);
  if (number === null) throw invalid([badPhone(field)]);
  return number;
}
