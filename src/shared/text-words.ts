/** The words of a text as they are searched. Pure; what it yields is stored, see `text.ts`. */
import { firstCharacters, foldText } from './text.ts';

const MAX_WORD = 64;
/** What is folded at once: folding makes some characters eighteen times as long. */
const SLICE = 1000;
/** Folded characters that are looked at, of one text: what comes after them is not found. */
const MAX_FOLDED = 1_000_000;

/** Of scripts that put no spaces between words each letter, with its marks, is a word. */
const UNSPACED = '(?=\\p{L})[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
const WORD = new RegExp(`${UNSPACED}\\p{M}*|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/** Markup is left out. */
export function* wordsOf(text: string): Generator<string> {
  const plain = text.includes('<') ? text.replace(/<[^<>]*>/g, ' ') : text;
  let room = MAX_FOLDED;
  for (const slice of slicesOf(plain)) {
    const folded = foldText(slice);
    room -= folded.length;
    if (room < 0) return;
    for (const [word] of folded.matchAll(WORD)) yield firstCharacters(word, MAX_WORD);
  }
}

/** Cut at a space where there is one near, so that no word is cut; never within a character and its marks. */
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
