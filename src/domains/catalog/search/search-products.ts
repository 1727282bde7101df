import type { Db } from '../../../db/sql.ts';
import { addTotal, countRowsPerPage, type Page } from '../../../shared/paging.ts';
import type { SerializedJson } from '../../../shared/records/serializer.ts';
import type { Query } from '../context.ts';
import type { ListFilter } from '../lists/list-queries.ts';
import {
  countMatches,
  findNewestBucket,
  type Place,
  type Search,
  type SearchRow,
  type SearchTerms,
  searchWindow,
  type Window,
} from './queries.ts';
import { searchTerms } from './search-terms.ts';
import { listKnownWords } from './word-queries.ts';
import { queryWords } from './words.ts';

/** The end of a page: its window and its last product. */
type Position = { lenient: boolean; window: Window; isFull: boolean; after: { score: number; productId: string } };

/**
 * Returns the best matches first. Ranks matches in windows, starting with the newest. A word used by a million products is found as fast as
 * a rare one, and paging reaches every match.
 */
export async function searchProducts(
  ctx: Query,
  db: Db,
  request: { text: string; filter: ListFilter; cursor?: string; limit: number; count?: boolean; locale?: string },
): Promise<Page<SerializedJson>> {
  const { cursors, businessId } = ctx;
  const { text, filter, cursor, limit, locale } = request;
  const scope = `products:${businessId}:relevance:${text}`;
  const start = readPosition(cursors.decode(scope, cursor));
  const [findTerms, newestBucket] = await Promise.all([
    termsReader(db, businessId, text),
    findNewestBucket(db, businessId),
  ]);
  const read = async (terms: SearchTerms | null, from: Position | null) => {
    if (terms === null) return { rows: [], position: null };
    return readPage(db, { businessId, terms, filter, newestBucket }, from, limit);
  };
  let lenient = start?.lenient ?? false;
  let page = await read(findTerms(lenient), start);
  if (start === null && page.rows.length === 0) {
    const [strict, wider] = [findTerms(false), findTerms(true)];
    lenient = true;
    if (wider !== null && wider.match !== strict?.match) page = await read(wider, null);
  }
  const rowsPerPage = countRowsPerPage(page.rows, limit);
  if (rowsPerPage < page.rows.length) return searchProducts(ctx, db, { ...request, limit: rowsPerPage });
  const values = page.position && writePosition({ ...page.position, lenient });
  const items = (await ctx.catalog.responses.page(ctx, page.rows, {
    statuses: filter.statuses,
    isStrict: false,
    locale,
  }))!;
  const terms = findTerms(lenient);
  return addTotal({ items, cursor: values && cursors.encode(scope, values) }, request, async () =>
    terms ? countMatches(db, { businessId, terms, filter, newestBucket }) : 0,
  );
}

/** For text filters in an order other than relevance: a tsquery, or null if nothing can match. */
export async function matchOf(db: Db, businessId: string, query: string): Promise<string | null> {
  const findTerms = await termsReader(db, businessId, query);
  return (findTerms(false) ?? findTerms(true))?.match ?? null;
}

async function termsReader(db: Db, businessId: string, query: string) {
  const typed = queryWords(query);
  const words = typed.filter(({ exact }) => !exact).map(({ word }) => word);
  const known = words.length > 0 ? await listKnownWords(db, businessId, words) : [];
  return (lenient: boolean) => (typed.length === 0 ? null : searchTerms(typed, known, lenient));
}

type PositionInPage = Omit<Position, 'lenient'>;

async function readPage(
  db: Db,
  search: Search,
  from: PositionInPage | null,
  limit: number,
): Promise<{ rows: SearchRow[]; position: PositionInPage | null }> {
  const rows: SearchRow[] = [];
  let window: Window = from?.window ?? { top: null, inclusive: false, bottom: null };
  let after = from?.after ?? null;
  let last: PositionInPage | null = null;
  for (;;) {
    const found = await searchWindow(db, search, window, after, limit + 1 - rows.length);
    const isFull = window.bottom ? from!.isFull : found.isFull;
    const bounds = window.bottom ? window : { top: found.top, inclusive: true, bottom: found.bottom };
    for (const row of found.rows) {
      if (rows.length === limit) return { rows, position: last };
      rows.push(row);
      last = { window: bounds, isFull, after: { score: row.score, productId: row.productId } };
    }
    if (!isFull || bounds.bottom === null) return { rows, position: null };
    window = { top: bounds.bottom, inclusive: false, bottom: null };
    after = null;
  }
}

function writePosition({ lenient, window, isFull, after }: Position) {
  const place = (at: Place | null) => [at?.bucket ?? null, at?.productId ?? null];
  return [lenient, isFull, ...place(window.top), ...place(window.bottom), after.score, after.productId];
}

function readPosition(values: unknown[] | null): Position | null {
  if (values === null) return null;
  const [lenient, isFull, topBucket, topId, endBucket, endId, score, productId] = values as [
    boolean,
    boolean,
    number,
    string,
    number,
    string,
    number,
    string,
  ];
  return {
    lenient,
    isFull,
    window: {
      top: { bucket: topBucket, productId: topId },
      inclusive: true,
      bottom: { bucket: endBucket, productId: endId },
    },
    after: { score, productId },
  };
}
