import Type from 'typebox';

const PATTERN = '^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$';
const EXPRESSION = new RegExp(PATTERN);

/** A language, with a script or country if needed. */
export const Locale = Type.String({ maxLength: 35, pattern: PATTERN, examples: ['en', 'pt-BR'] });

export const isLocale = (text: string) => text.length <= 35 && EXPRESSION.test(text);

/** The BCP 47 tag of a locale stored with `-` or `_`. Unknown locales are treated as English. */
export function tag(locale: string): string {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).toString();
  } catch {
    return 'en';
  }
}

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Samr', 'Mand']);

export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(new Intl.Locale(tag(locale)).maximize().script ?? '') ? 'rtl' : 'ltr';

/** Picks a string by locale: the exact locale, then its language, then the first language available. A plain string is returned as is. */
export function localText(value: unknown, locale: string): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const texts = Object.entries(value as Record<string, string>).filter(([, text]) => text !== '');
  const language = locale.split(/[-_]/)[0]!.toLowerCase();
  const found =
    texts.find(([key]) => key.toLowerCase() === locale.toLowerCase()) ??
    texts.find(([key]) => key.split(/[-_]/)[0]!.toLowerCase() === language) ??
    texts[0];
  return found?.[1] ?? '';
}
