/** Splits text into words for search. The words are stored, see `text.ts`. */
import { firstCharacters, foldText } from './text.ts';

const MAX_WORD = 64;
/** Characters folded at once. Folding can make a character eighteen times as long. */
const SLICE = 1000;
/** Folded characters indexed per text. Search doesn't find words beyond them. */
const MAX_FOLDED = 1_000_000;

/** In scripts without spaces between words, each letter with its marks is a word. */
const UNSPACED = '(?=\\p{L})[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
const WORD = new RegExp(`${UNSPACED}\\p{M}*|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/** Yields the folded words of the text and skips markup. */
export function* wordsOf(text: string): Generator<string> {
  const plain = text.includes('<') ? text.replace(/<[^<>]*>/g, ' ') : text;
  let remaining = MAX_FOLDED;
  for (const slice of slicesOf(plain)) {
    const folded = foldText(slice);
    remaining -= folded.length;
    if (remaining < 0) return;
    for (const [word] of folded.matchAll(WORD)) yield firstCharacters(word, MAX_WORD);
  }
}

/** Cuts at a space if there is one nearby, so that words stay whole, and never between a character and its marks. */
export function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + SLICE, text.length);
    if (end < text.length) {
      const space = text.lastIndexOf(' ', end);
      if (space > start) end = space;
      else while (end < text.length && end < start + 2 * SLICE && /[\p{M}\uDC00-\uDFFF]/u.test(text[end]!)) end++;
    }
    yield text.slice(start, end);
    start = end;
  }
}
