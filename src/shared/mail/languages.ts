/** The languages of emails. A new language is a file in `text/` and a line here. */
import { formatRate } from '../money.ts';
import { de } from './text/de.ts';
import { en, type MailTexts } from './text/en.ts';

export type { MailTexts } from './text/en.ts';

const CATALOGS = { en, de } satisfies Record<string, MailTexts>;

export type Language = keyof typeof CATALOGS;
export const LANGUAGES = Object.keys(CATALOGS) as Language[];

const isLanguage = (text: string): text is Language => Object.hasOwn(CATALOGS, text);

/** The language of the first of these locales that has translations, or English. */
export function languageOf(...locales: readonly (string | null | undefined)[]): Language {
  for (const locale of locales) {
    const language = (locale ?? '').split(/[-_]/)[0]!.toLowerCase();
    if (isLanguage(language)) return language;
  }
  return 'en';
}

export const textsIn = (locale: string): MailTexts => CATALOGS[languageOf(locale)];

const MAX_HEADER = 200;

/** The locales of an Accept-Language header, most preferred first. */
export const acceptedLocales = (header: string): string[] =>
  header
    .slice(0, MAX_HEADER)
    .split(',')
    .map((range) => {
      const [locale = '', weight = ''] = range.trim().split(';');
      return { locale, weight: weight.trim().startsWith('q=') ? Number(weight.trim().slice(2)) : 1 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ locale }) => locale);

/** Translates a default tax name and keeps a name that the business chose. Formats rates for the language: `MwSt. 5,5 %`. */
export function taxLabel(name: string, language: Language): string {
  const { vat, tax } = textsIn(language).order;
  return name
    .replace(/^(?:VAT|Tax)(?= [\d.]+%$|$)/, (word) => (word === 'VAT' ? vat : tax))
    .replace(/(?<= )(\d+(?:\.\d+)?)%$/, (_, rate) => formatRate(Number(rate) * 100, language));
}
