import type { Db } from '../../db/sql.ts';
import { acceptedLocales, type Language, languageOf } from '../../shared/mail/languages.ts';
import type { BusinessServices } from './context.ts';
import { findBusinessById } from './get-business.ts';

type Reader = { db: Db; acceptLanguage: string } & BusinessServices;

/**
 * The language of a page or an email for a person whose language is not stored: the first that has translations among `locales`, the
 * languages that the request accepts, and the language of the business. Falls back to English, for example if the business was deleted.
 */
export async function readerLanguage(
  ctx: Reader,
  businessId: string,
  ...locales: readonly (string | null | undefined)[]
): Promise<Language> {
  const business = await findBusinessById(ctx, businessId);
  return languageOf(...locales, ...acceptedLocales(ctx.acceptLanguage), business?.configs.email?.locale);
}
