import Type from 'typebox';

const PATTERN = '^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$';
const EXPRESSION = new RegExp(PATTERN);

/** A language, with a script or country if needed. */
export const Locale = Type.String({ maxLength: 35, pattern: PATTERN, examples: ['en', 'pt-BR'] });

export const isLocale = (text: string) => text.length <= 35 && EXPRESSION.test(text);
