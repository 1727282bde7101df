import { KeyRefused, PaymentRefused } from './port.ts';

type StripeError = Error & { statusCode?: number };

/**
 * Returns null if the account of this key does not have the object, because the business has since switched accounts.
 */
export const unlessMissing = (error: StripeError): null => (error.statusCode === 404 ? null : refusal(error));

/** Stripe's 4xx are rejections, except rate limits and a retry that overlaps with the first request. */
export function refusal(error: StripeError): never {
  const status = error.statusCode ?? 0;
  if (status === 401 || status === 403) throw new KeyRefused(error.message);
  if (status >= 400 && status < 500 && status !== 429 && status !== 409) throw new PaymentRefused(error.message);
  throw error;
}
