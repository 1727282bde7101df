import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type FieldError, invalid } from '../../../shared/errors.ts';

/** What messages are counted by beside the number: the country, where one is known, or its prefix. */
export function countryOf(e164: string): string {
  const number = parsePhoneNumberFromString(e164);
  return `+${number?.countryCallingCode} ${number?.country ?? ''}`.trim();
}

/** The number in E.164, when `text` is one that can exist, with its country code and however it is spaced; else null. */
export function toE164(text: string): string | null {
  const number = parsePhoneNumberFromString(text, { extract: false });
  return number?.isValid() && !number.ext ? number.number : null;
}

export const badPhone = (field: string): FieldError => ({
  field,
  error: 'INVALID_FORMAT',
  message: `${field} must be a phone number that exists, with its country code, such as +4915112345678.`,
});

/** Raises 422 when it is none. */
export function readPhone(text: string, field: string): string {
  const number = toE164(text);
  if (number === null) throw invalid([badPhone(field)]);
  return number;
}
