import { KeyRefused, PaymentRefused } from './port.ts';

type StripeError = Error & { statusCode?: number };

/** Null: the account of this key has no such thing, because the business has taken another account since. */
export const unlessMissing = (error: StripeError): null => (error.statusCode === 404 ? null : refusal(error));

/** Stripe's 4xx are a no, but for rate limits and a repeat that met the first try. */
export function refusal(error: StripeError): never {
  const status = error.statusCode ?? 0;
  if (status === 401 || status === 403) throw new KeyRefused(error.message);
  if (status >= 400 && status < 500 && status !== 429 && status !== 409) throw new PaymentRefused(error.message);
  throw error;
}
