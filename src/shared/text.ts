/**
 * How text is folded for search, sorting and slugs. It is done here and not by the database, so that it is the same for every
 * script and on every server, whatever its locale. What it yields is stored: a change of these rules needs a new index of
 * everything that was folded before.
 */

/** Accents that a person leaves out when typing. In other scripts marks are part of the letter. */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };

/** Lower case, without accents. */
export const foldText = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTED, '$1')
    .normalize('NFC')
    .replace(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter]!);

/** The first characters of a text. A character that takes two units of a string is never cut in half. */
export const firstCharacters = (text: string, count: number) =>
  text.length <= count ? text : [...text].slice(0, count).join('');

/** For a LIKE pattern that is to find this text itself. */
export const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** False for text that PostgreSQL cannot store: with a NUL or half of a surrogate pair. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
