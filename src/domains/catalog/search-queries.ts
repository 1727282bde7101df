import type { Db, Tx } from '../../db/connection.ts';
import { statusOf } from './compose.ts';
import { type ListFilter, productConditions } from './list-queries.ts';
import { quantitiesOf } from './queries.ts';
import type { Product } from './schemas.ts';
import { isCode, nearKeys, wordsOf } from './words.ts';

/** Products in a bucket, on average. */
const BUCKET_SIZE = 4096;
/** Shorter words are not corrected. */
const MIN_TYPO_LETTERS = 5;
/** How many known words a typed beginning may stand for: the shortest ones. */
const MAX_COMPLETIONS = 24;

/**
 * Makes the product findable. A new product joins the bucket of the business's newest one, or opens the next by chance:
 * buckets get their size on average, and no counter is shared by those who write.
 */
export async function saveSearch(tx: Tx, product: Product): Promise<void> {
  const { vector, vocabulary } = wordsOf([
    { text: product.name, weight: 'A' },
    { text: product.category, weight: 'B' },
    ...product.variants.flatMap((variant) => [
      { text: variant.sku, weight: 'B' } as const,
      { text: [variant.name, ...variant.attributes.map(({ value }) => value)].join(' '), weight: 'C' } as const,
    ]),
    { text: product.description, weight: 'D' },
  ]);
  await Promise.all([
    tx`
      insert into product_search as s (business_id, product_id, bucket, status, category, words)
      select ${product.businessId}, ${product.id}, coalesce((
          select bucket from product_search where business_id = ${product.businessId}
          order by product_id desc limit 1
        ), 0) + (random() * ${BUCKET_SIZE} < 1)::int,
        ${statusOf(product)}, ${product.category}, ${vector}::tsvector
      on conflict (business_id, product_id) do update
        set status = excluded.status, category = excluded.category, words = excluded.words
        where (s.status, s.category, s.words) is distinct from (excluded.status, excluded.category, excluded.words)`,
    saveVocabulary(tx, product.businessId, vocabulary),
  ]);
}

/** In the order of the words, so that two who add the same ones do not wait for each other in a circle. */
async function saveVocabulary(tx: Tx, businessId: string, words: string[]): Promise<void> {
  const near = words.map((word) =>
    isCode(word) || [...word].length < MIN_TYPO_LETTERS ? null : nearKeys(word).join(' '),
  );
  await tx`
    insert into product_words (business_id, is_code, word, near)
    select ${businessId}, is_code, word, string_to_array(near, ' ')
    from unnest(${words.map((word) => String(isCode(word)))}::boolean[], ${words}::text[], ${near as string[]}::text[])
      as w (is_code, word, near)
    order by is_code, word
    on conflict do nothing`;
}

export type KnownWord = { typed: string; word: string; kind: 'EXACT' | 'PREFIX' | 'NEAR' };

/** What the typed words may stand for in this business: itself, longer words, and words one typo away. */
export function listKnownWords(db: Db, businessId: string, typed: readonly string[]) {
  const correctable = typed.filter((word) => !isCode(word) && [...word].length >= MIN_TYPO_LETTERS - 1);
  const beginning = (isCodeToo: boolean) => db`
    select word from product_words
    where business_id = ${businessId} and is_code = ${isCodeToo}
      and word >= t.typed and word < t.typed || U&'\\+10FFFF'
    order by ${isCodeToo ? db`word` : db`length(word), word`} limit ${MAX_COMPLETIONS}`;
  return db<KnownWord[]>`
    select t.typed, w.word, case when w.word = t.typed then 'EXACT' else 'PREFIX' end as kind
    from (select typed collate "C" as typed from unnest(${typed as string[]}::text[]) as typed) t
    cross join lateral ((${beginning(false)}) union all (${beginning(true)})) w
    union all
    select t.typed, w.word, 'NEAR'
    from unnest(${correctable}::text[], ${correctable.map((word) => nearKeys(word).join(' '))}::text[]) as t (typed, near)
    join product_words w on w.business_id = ${businessId} and w.near && string_to_array(t.near, ' ')`;
}

/** Products that a search looks at in one go: it ranks among these before it looks at older ones. */
export const WINDOW_SIZE = 256;

export type SearchTerms = {
  /** A tsquery: every typed word, as itself or as what it may stand for. */
  match: string;
  /** Two tsqueries that rank: words that begin as typed, and words as typed. They do not depend on what other products
   * hold, so that a product keeps its rank while somebody pages. */
  begins: string;
  exact: string;
};
export type Place = { bucket: number; productId: string };
export type Window = {
  /** Only products before this place (at it, when `inclusive`). Null: from the newest on. */
  top: Place | null;
  inclusive: boolean;
  /** The window is known to end here. Null: after `WINDOW_SIZE` matches. */
  bottom: Place | null;
};
export type SearchRow = Place & { score: number; doc: string; quantities: string | null };
export type WindowPage = { rows: SearchRow[]; top: Place | null; bottom: Place | null; isFull: boolean };

type RawSearchRow = SearchRow & { matches: number; topId: string; topBucket: number; endId: string; endBucket: number };

/**
 * Matches go from the newest bucket to the oldest, the newest first in each, and the search stops at the end of its window.
 * Within the window the best come first.
 */
export async function searchWindow(
  db: Db,
  businessId: string,
  terms: SearchTerms,
  filter: ListFilter,
  window: Window,
  after: { score: number; productId: string } | null,
  limit: number,
): Promise<WindowPage> {
  const { top, bottom, inclusive } = window;
  // A window that is known stays as it is; a latecomer in it must not push another product out.
  const size = bottom ? 2 * WINDOW_SIZE : WINDOW_SIZE;
  const hasOthers = filter.slug !== null || filter.ids !== null || filter.lowStock;
  const place = (at: Place) => db`(${at.bucket}::int, ${at.productId}::text)`;
  const newest = top
    ? db`${top.bucket}::int`
    : db`(select bucket + 1 from product_search where business_id = ${businessId} order by product_id desc limit 1)`;
  const rows = await db<RawSearchRow[]>`
    with found as materialized (
      select m.* from generate_series(${newest}, ${bottom?.bucket ?? 0}::int, -1) as b (bucket)
      cross join lateral (
        select s.product_id, s.bucket,
          round(1e6 * (ts_rank(s.words, ${terms.begins}::tsquery) + 2 * ts_rank(s.words, ${terms.exact}::tsquery)))::int
            as score
        from product_search s
        where s.business_id = ${businessId} and s.bucket = b.bucket and s.words @@ ${terms.match}::tsquery
          ${filter.status === null ? db`` : db`and s.status = ${filter.status}`}
          ${filter.category === null ? db`` : db`and s.category = ${filter.category}`}
          ${top === null ? db`` : db`and (s.bucket, s.product_id) ${inclusive ? db`<=` : db`<`} ${place(top)}`}
          ${bottom === null ? db`` : db`and (s.bucket, s.product_id) >= ${place(bottom)}`}
          ${hasOthers ? db`and exists (select from products p where p.business_id = s.business_id and p.id = s.product_id ${productConditions(db, filter)})` : db``}
        order by s.product_id desc
        limit ${size}
      ) m
      limit ${size}
    ),
    ends as (
      select count(*)::int as matches, (array_agg(product_id order by bucket desc, product_id desc))[1] as top_id,
        max(bucket) as top_bucket, (array_agg(product_id order by bucket, product_id))[1] as end_id,
        min(bucket) as end_bucket
      from found
    )
    select page.*, ends.*, p.doc, ${quantitiesOf(db)}
    from ends
    left join (
      select product_id, bucket, score from found
      ${after === null ? db`` : db`where (score, product_id) < (${after.score}::int, ${after.productId}::text)`}
      order by score desc, product_id desc limit ${limit}
    ) page on true
    left join products p on p.business_id = ${businessId} and p.id = page.product_id
    order by page.score desc, page.product_id desc`;
  const [first] = rows;
  if (!first || first.matches === 0) return { rows: [], top: null, bottom: null, isFull: false };
  return {
    rows: rows.filter((row) => row.productId !== null && row.doc !== null),
    top: { bucket: first.topBucket, productId: first.topId },
    bottom: { bucket: first.endBucket, productId: first.endId },
    isFull: first.matches >= WINDOW_SIZE,
  };
}
