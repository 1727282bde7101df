/** Translates the text fields of a record. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import { isLocale } from '../../../shared/text/locales.ts';

type Texts = { name?: string; slug?: string; seo?: object };
type Translations<T extends Texts = Texts> = Record<string, T>;
type Translated<T extends Texts> = T & { name: string; slug: string; translations?: Translations<T> };

const keyOf = (locale: string) => locale.replaceAll('_', '-').toLowerCase();

/** The translation for a locale, or else for its language: `de-AT` finds `de`. */
export function translationFor<T>(translations: Record<string, T> | undefined, locale: string): T | undefined {
  if (!translations) return undefined;
  const wanted = keyOf(locale);
  const entries = Object.entries(translations);
  const [, exact] = entries.find(([key]) => keyOf(key) === wanted) ?? [];
  return exact ?? entries.find(([key]) => keyOf(key) === wanted.split('-')[0])?.[1];
}

/** The record in this language. `defaultSlug` is its slug in the default language. */
export function translated<R extends Translated<Texts>>(record: R, locale: string): R & { defaultSlug: string } {
  const { seo, ...texts } = translationFor(record.translations, locale) ?? {};
  const filled = Object.entries(texts).filter(([, text]) => text !== '');
  // Hides fields in the default language that would contradict translated ones.
  const hidden = {
    ...('description' in texts && !('descriptionHtml' in texts) ? { descriptionHtml: undefined } : {}),
    ...(texts.name ? { seo: undefined } : {}),
  };
  return {
    ...record,
    ...hidden,
    ...Object.fromEntries(filled),
    ...(seo ? { seo } : {}),
    defaultSlug: record.slug,
  };
}

/** Checks the locales, which the schema can't, because they are field names. */
export const checkLocales = (translations: object): FieldError[] =>
  Object.keys(translations)
    .filter((locale) => !isLocale(locale))
    .map((locale) => {
      const field = `translations.${locale.slice(0, 40)}`;
      return { field, error: 'INVALID_FORMAT', message: `${field} must be a locale such as de or pt-BR.` };
    });

/** The slugs of a record in other languages, by locale. */
export const slugsOf = ({ translations = {} }: { translations?: Translations }): { locale: string; slug: string }[] =>
  Object.entries(translations).flatMap(([locale, { slug }]) => (slug ? [{ locale, slug }] : []));
