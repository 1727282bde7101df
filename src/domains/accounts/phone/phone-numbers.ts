import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type FieldError, invalid } from '../../../shared/errors.ts';

/** The rate limit key for a number's country: the calling code and, if known, the country. */
export function countryOf(e164: string): string {
  const number = parsePhoneNumberFromString(e164);
  return `+${number?.countryCallingCode} ${number?.country ?? ''}`.trim();
}

/** The number in E.164 if `text` is a valid number with its country code, in any spacing; otherwise null. */
export function toE164(text: string): string | null {
  const number = parsePhoneNumberFromString(text, { extract: false });
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
