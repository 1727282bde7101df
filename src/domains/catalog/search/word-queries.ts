import type { Db, Tx } from '../../../db/sql.ts';
import { isCode, nearKeys } from './words.ts';

/** Typos in shorter words are not corrected. */
const MIN_TYPO_LETTERS = 5;
/** Maximum number of words a prefix expands to. The shortest words win. */
const MAX_COMPLETIONS = 24;

/** Inserts in word order, so that concurrent writers of the same words can't deadlock. */
export async function saveVocabulary(tx: Tx, businessId: string, words: string[]): Promise<void> {
  const near = words.map((word) =>
    isCode(word) || [...word].length < MIN_TYPO_LETTERS ? null : nearKeys(word).join(' '),
  );
  await tx`
    insert into product_words (business_id, is_code, word, near)
    select ${businessId}, is_code::boolean, word, string_to_array(near, ' ')
    from unnest(${words.map((word) => String(isCode(word)))}::text[], ${words}::text[], ${near as string[]}::text[])
      as w (is_code, word, near)
    order by is_code::boolean, word
    on conflict do nothing`;
}

export type KnownWord = { typed: string; word: string; kind: 'EXACT' | 'PREFIX' | 'NEAR' };

/** Words of the business that the typed words may match: the same word, longer words, and words one typo away. */
export function listKnownWords(db: Db, businessId: string, typed: readonly string[]) {
  const correctable = typed.filter((word) => !isCode(word) && [...word].length >= MIN_TYPO_LETTERS - 1);
  const beginning = (isCodeWord: boolean) => db`
    select word from product_words
    where business_id = ${businessId} and is_code = ${isCodeWord}
      and word >= t.typed and word < t.typed || U&'\\+10FFFF'
    order by ${isCodeWord ? db`word` : db`length(word), word`} limit ${MAX_COMPLETIONS}`;
  return db<KnownWord[]>`
    select t.typed, w.word, case when w.word = t.typed then 'EXACT' else 'PREFIX' end as kind
    from (select typed collate "C" as typed from unnest(${typed as string[]}::text[]) as typed) t
    cross join lateral ((${beginning(false)}) union all (${beginning(true)})) w
    union all
    select t.typed, w.word, 'NEAR'
    from unnest(${correctable}::text[], ${correctable.map((word) => nearKeys(word).join(' '))}::text[]) as t (typed, near)
    join product_words w on w.business_id = ${businessId} and w.near && string_to_array(t.near, ' ')`;
}
