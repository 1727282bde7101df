/** Splits text into words, for products and queries alike. */
import { firstCharacters, foldText } from '../../../shared/text/text.ts';
import { slicesOf } from '../../../shared/text/text-words.ts';

/** A word in a query. `exact` disables prefix and typo matching. */
export type QueryWord = { word: string; exact: boolean };

/** Rank weight by position: name, category or SKU, attributes, description. */
export type Weight = 'A' | 'B' | 'C' | 'D';

const MAX_WORD = 64;
const MAX_WORDS = 1500;
const MAX_PLACES = 8;
/** Maximum number of folded characters indexed per product. */
const MAX_FOLDED = 100_000;
const MAX_QUERY_WORDS = 8;
/** Positions between two fields, so that words from different fields don't count as neighbors. */
const GAP = 10;
const MAX_PLACE = 16_000;

const UNSPACED_SCRIPTS = 'Han|Hiragana|Katakana|Thai|Lao|Khmer|Myanmar';
const UNSPACED_CLASS = UNSPACED_SCRIPTS.split('|')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
/** At most 100,000 characters: each character is read once. */
const UNSPACED = new RegExp(`([${UNSPACED_CLASS}]+)`, 'gu');
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns the words as a weighted tsvector literal, and the vocabulary to store in `product_words`. */
export function wordsOf(texts: readonly { text: string; weight: Weight }[]): { vector: string; vocabulary: string[] } {
  const places = new Map<string, string[]>();
  const vocabulary = new Set<string>();
  let place = 0;
  const left = { characters: MAX_FOLDED };
  for (const { text, weight } of texts) {
    for (const { words, exact } of piecesOf(text, left)) {
      place = Math.min(place + 1, MAX_PLACE);
      for (const word of words) {
        if (!exact) vocabulary.add(word);
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

/** Returns the distinct words of a query, up to the maximum. */
export function queryWords(query: string): QueryWord[] {
  const found = new Map<string, QueryWord>();
  for (const { words, exact } of piecesOf(query, { characters: MAX_FOLDED }, true)) {
    for (const word of words) found.set(word, { word, exact });
  }
  return [...found.values()].slice(0, MAX_QUERY_WORDS);
}

export const isCode = (word: string) => /\p{N}/u.test(word);

/** Two words that differ by one typo (an extra, missing, wrong or swapped letter) share at least one of these keys. */
export function nearKeys(word: string): string[] {
  const letters = [...word];
  return [...new Set([word, ...letters.map((_, i) => letters.toSpliced(i, 1).join(''))])];
}

/** Whether the words are one typo apart. */
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
 * Scripts without spaces between words are split into pairs of adjacent characters: text matches if it contains all pairs of
 * the query. Indexed text also keeps single characters, for one-character queries.
 */
function* piecesOf(
  text: string,
  left: { characters: number },
  forQuery = false,
): Generator<{ words: string[]; exact: boolean }> {
  for (const slice of slicesOf(text)) {
    const folded = foldText(slice);
    left.characters -= folded.length;
    if (left.characters < 0) return;
    for (const [run] of folded.matchAll(WORD)) {
      for (const [i, part] of run.split(UNSPACED).entries()) {
        if (part === '') continue;
        if (i % 2 === 0) yield { words: [firstCharacters(part, MAX_WORD)], exact: false };
        else yield { words: pairsOf([...part], forQuery), exact: true };
      }
    }
  }
}

function pairsOf(characters: string[], forQuery: boolean): string[] {
  const pairs = characters.slice(1).map((character, i) => characters[i]! + character);
  return forQuery && pairs.length > 0 ? pairs : [...new Set([...characters, ...pairs])];
}
