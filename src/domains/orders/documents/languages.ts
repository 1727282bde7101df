/** The language of a document. Pure. */
import type { OrderDoc } from '../order.ts';

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const GERMAN_SPEAKING = ['DE', 'AT', 'LI'];

/** The customer's language, or else the language of the seller's country. */
export function languageOf({ locale }: OrderDoc, sellerCountry = ''): Language {
  if (locale) return /^de\b/i.test(locale) ? 'de' : 'en';
  return GERMAN_SPEAKING.includes(sellerCountry) ? 'de' : 'en';
}
