import type { FieldError } from './errors.ts';

const KNOWN = new Set(Intl.supportedValuesOf('currency'));

type SentCurrency = { field: string; currency: string };

/** An error for each unknown currency. An unknown currency that is already stored is accepted. */
export const checkCurrencies = (sent: readonly SentCurrency[], stored: readonly string[] = []): FieldError[] =>
  sent
    // The schema reports values of another type.
    .filter(
      ({ currency }) =>
        typeof currency === 'string' && !KNOWN.has(currency.toUpperCase()) && !stored.includes(currency),
    )
    .map(({ field, currency }) => ({
      field,
      error: 'INVALID_VALUE',
      message: `${field} must be an ISO 4217 currency code such as usd. ${currency} is unknown.`,
    }));
