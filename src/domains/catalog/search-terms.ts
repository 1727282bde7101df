import type { SearchTerms } from './search-queries.ts';
import type { KnownWord } from './word-queries.ts';
import { isOneTypo, type QueryWord } from './words.ts';

/**
 * What a query looks for. A word stands for itself and for the words it begins; one that is no word of this business and begins
 * none stands for the words one typo away. `lenient`: every word may be mistyped. Null: nothing can match.
 */
export function searchTerms(
  typed: readonly QueryWord[],
  known: readonly KnownWord[],
  lenient: boolean,
): SearchTerms | null {
  const [match, begins, exact] = [[] as string[], [] as string[], [] as string[]];
  for (const { word, whole } of typed) {
    exact.push(quote(word));
    if (whole) {
      match.push(quote(word));
      begins.push(quote(word));
      continue;
    }
    const kinds = known.filter((entry) => entry.typed === word);
    const wordsOf = (kind: KnownWord['kind']) =>
      kinds.filter((entry) => entry.kind === kind).map((entry) => entry.word);
    const same = [...wordsOf('EXACT'), ...wordsOf('PREFIX')];
    const near = wordsOf('NEAR').filter((other) => other !== word && isOneTypo(word, other));
    const meant = lenient ? [...same, ...near] : same.length > 0 ? same : near;
    if (meant.length === 0) return null;
    match.push(`(${[...new Set(meant)].map(quote).join('|')})`);
    begins.push(`${quote(word)}:*`);
    if (meant.some((other) => near.includes(other))) begins.push(...near.map(quote));
  }
  return { match: match.join('&'), begins: begins.join('|'), exact: exact.join('|') };
}

/** Words hold letters, marks and digits only. */
const quote = (word: string) => `'${word}'`;
