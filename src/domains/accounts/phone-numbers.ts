import { type FieldError, invalid } from '../../shared/errors.ts';

/** The number in E.164, when `text` is one but for spaces, hyphens, dots and brackets; else null. */
export function toE164(text: string): string | null {
  const number = text.replace(/[\s().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null;
}

export const badPhone = (field: string): FieldError => ({
  field,
  error: 'INVALID_FORMAT',
  message: `${field} must be a phone number with its country code, such as +4915112345678.`,
});

/** Raises 422 when it is none. */
export function readPhone(text: string, field: string): string {
  const number = toE164(text);
  if (number === null) throw invalid([badPhone(field)]);
  return number;
}
