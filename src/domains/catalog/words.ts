/** How text becomes words, for products and for queries alike. */
import { firstCharacters, foldText } from '../../shared/text.ts';
import { slicesOf } from '../../shared/text-words.ts';

/** A word that is searched for. `whole`: only as it is, neither as a beginning nor with a typo. */
export type QueryWord = { word: string; whole: boolean };

/** How much a word counts, by where it stands: in the name, in category or SKU, in attributes, in the description. */
export type Weight = 'A' | 'B' | 'C' | 'D';

const MAX_WORD = 64;
const MAX_WORDS = 1500;
const MAX_PLACES = 8;
/** Folded characters that are looked at, of all texts of a product. */
const MAX_FOLDED = 100_000;
const MAX_QUERY_WORDS = 8;
/** Places between two texts, so that words of different ones do not count as neighbours. */
const GAP = 10;
const MAX_PLACE = 16_000;

const UNSPACED_SCRIPTS = 'Han|Hiragana|Katakana|Thai|Lao|Khmer|Myanmar';
const UNSPACED_CLASS = UNSPACED_SCRIPTS.split('|')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const UNSPACED = new RegExp(`([${UNSPACED_CLASS}]+)`, 'gu');
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of texts with their weights as a tsvector literal, and the list of those that `product_words` keeps. */
export function wordsOf(texts: readonly { text: string; weight: Weight }[]): { vector: string; vocabulary: string[] } {
  const places = new Map<string, string[]>();
  const vocabulary = new Set<string>();
  let place = 0;
  const room = { characters: MAX_FOLDED };
  for (const { text, weight } of texts) {
    for (const { words, whole } of piecesOf(text, room)) {
      place = Math.min(place + 1, MAX_PLACE);
      for (const word of words) {
        if (!whole) vocabulary.add(word);
        const at = places.get(word);
        if (at && at.length < MAX_PLACES) at.push(`${place}${weight}`);
        else if (!at && places.size < MAX_WORDS) places.set(word, [`${place}${weight}`]);
      }
    }
    place += GAP;
  }
  const vector = [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ');
  return { vector, vocabulary: [...vocabulary].filter((word) => places.has(word)).sort() };
}

/** The words that a query asks for, each once; what comes after the first few is left out. */
export function queryWords(query: string): QueryWord[] {
  const found = new Map<string, QueryWord>();
  for (const { words, whole } of piecesOf(query, { characters: MAX_FOLDED }, true)) {
    for (const word of words) found.set(word, { word, whole });
  }
  return [...found.values()].slice(0, MAX_QUERY_WORDS);
}

export const isCode = (word: string) => /\p{N}/u.test(word);

/** Words that differ by one typo (a letter too many, missing, wrong, or two swapped) share one of these. */
export function nearKeys(word: string): string[] {
  const letters = [...word];
  return [...new Set([word, ...letters.map((_, i) => letters.toSpliced(i, 1).join(''))])];
}

/** Whether one word becomes the other by one typo. */
export function isOneTypo(typed: string, word: string): boolean {
  const [a, b] = [[...typed], [...word]];
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const rest = (letters: string[], from: number) => letters.slice(from).join('');
  if (a.length > b.length) return rest(a, start + 1) === rest(b, start);
  if (a.length < b.length) return rest(a, start) === rest(b, start + 1);
  const isSwap = a[start] === b[start + 1] && a[start + 1] === b[start] && rest(a, start + 2) === rest(b, start + 2);
  return isSwap || rest(a, start + 1) === rest(b, start + 1);
}

/**
 * Scripts that put no spaces between words are cut into pairs of neighbouring characters: a text holds what is searched for
 * if it holds all its pairs. Texts also keep the single characters, for queries of one character.
 */
function* piecesOf(
  text: string,
  room: { characters: number },
  forQuery = false,
): Generator<{ words: string[]; whole: boolean }> {
  for (const slice of slicesOf(text)) {
    const folded = foldText(slice);
    room.characters -= folded.length;
    if (room.characters < 0) return;
    for (const [run] of folded.matchAll(WORD)) {
      for (const [i, part] of run.split(UNSPACED).entries()) {
        if (part === '') continue;
        if (i % 2 === 0) yield { words: [firstCharacters(part, MAX_WORD)], whole: false };
        else yield { words: pairsOf([...part], forQuery), whole: true };
      }
    }
  }
}

function pairsOf(characters: string[], forQuery: boolean): string[] {
  const pairs = characters.slice(1).map((character, i) => characters[i]! + character);
  return forQuery && pairs.length > 0 ? pairs : [...new Set([...characters, ...pairs])];
}
