import type { SearchTerms } from './queries.ts';
import type { KnownWord } from './word-queries.ts';
import { isOneTypo, type QueryWord } from './words.ts';

/**
 * Expands a query. A word matches itself and any word it is a prefix of; a word unknown to the business matches words one
 * typo away. `lenient` allows a typo in every word. Null if nothing can match.
 */
export function searchTerms(
  typed: readonly QueryWord[],
  known: readonly KnownWord[],
  lenient: boolean,
): SearchTerms | null {
  const [match, prefixes, exact] = [[] as string[], [] as string[], [] as string[]];
  for (const { word, exact: isExact } of typed) {
    exact.push(quote(word));
    if (isExact) {
      match.push(quote(word));
      prefixes.push(quote(word));
      continue;
    }
    const kinds = known.filter((entry) => entry.typed === word);
    const wordsOf = (kind: KnownWord['kind']) =>
      kinds.filter((entry) => entry.kind === kind).map((entry) => entry.word);
    const same = [...wordsOf('EXACT'), ...wordsOf('PREFIX')];
    const near = wordsOf('NEAR').filter((other) => other !== word && isOneTypo(word, other));
    const alternatives = lenient ? [...same, ...near] : same.length > 0 ? same : near;
    if (alternatives.length === 0) return null;
    match.push(`(${[...new Set(alternatives)].map(quote).join('|')})`);
    prefixes.push(`${quote(word)}:*`);
    if (alternatives.some((other) => near.includes(other))) prefixes.push(...near.map(quote));
  }
  return { match: match.join('&'), prefixes: prefixes.join('|'), exact: exact.join('|') };
}

/** Safe because words contain only letters, marks and digits. */
const quote = (word: string) => `'${word}'`;
