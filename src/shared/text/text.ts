/**
 * Folds text for search, sorting and slugs. This is done here and not in the database, so that it is the same for every script, on
 * every server and in every locale. Folded text is stored: after a change to these rules, everything must be reindexed.
 */

/** Accents that people omit when typing. In other scripts, marks are part of the letter. */
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

/** The first characters of the text. Surrogate pairs are never split. */
export const firstCharacters = (text: string, count: number) =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join('');

/** The text without this character at its end. A pattern such as `/x+$/` takes quadratic time if another character follows. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** Escapes text for a LIKE pattern that matches it literally. */
export const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** False for text that PostgreSQL can't store: with a NUL or a lone surrogate. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
