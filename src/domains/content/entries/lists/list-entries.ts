import type { Db } from '../../../../db/sql.ts';
import { type FieldError, invalid } from '../../../../shared/errors.ts';
import { addTotal, type CursorValue, countRowsPerPage, type Page, pageLimit } from '../../../../shared/paging.ts';
import type { GatedView } from '../../../../shared/records/response-cache.ts';
import { type Attempt, readConsistently } from '../../../../shared/records/response-page.ts';
import type { SerializedJson } from '../../../../shared/records/serializer.ts';
import { may } from '../../../../shared/security/caller.ts';
import { wordsOf } from '../../../../shared/text/text-words.ts';
import { findAudience, type Gate, isContentStaff, visibleStatuses } from '../../access.ts';
import type { Query } from '../../context.ts';
import { findOwner } from '../../find-owner.ts';
import { collectionIdOf } from '../../owners.ts';
import { keysOfText, LOCALE } from '../index-values.ts';
import { listDocuments, listIdsBySlug } from '../queries.ts';
import type { EntryQuery } from '../schemas.ts';
import { checkBlockIds, hasFilters, readFilters, readSort, type Sort } from './list-parameters.ts';
import {
  countEntries,
  type EntryList,
  isPlain,
  type ListedRow,
  listByAge,
  listByValue,
  listNextMatches,
  listWithoutValue,
  probeFilter,
  probeSearch,
} from './list-queries.ts';

/** Filters and words with fewer matches are rare: their entries are read first. */
const RARE = 500;

/** A page of entries as the caller sees them. */
export const listEntries = (ctx: Query, query: EntryQuery): Promise<Page<SerializedJson>> =>
  readConsistently((attempt) => listOnce(ctx, query, attempt));

async function listOnce(
  ctx: Query,
  query: EntryQuery,
  { isStrict, isFirst }: Attempt,
): Promise<Page<SerializedJson> | null> {
  const { db, quick, businessId, cursors, content } = ctx;
  const [lists, quickLists] = isFirst ? [ctx.replica, ctx.quickReplica] : [db, quick];
  const errors: FieldError[] = [];
  const isStaff = isContentStaff(ctx);
  const owner = (await findOwner({ db: quick, businessId }, query, errors)) ?? null;
  const sort = readSort(query);
  const scope = `entries:${businessId}:${owner ?? ''}:${sort.blockId ?? ''}:${sort.descending}`;
  const collectionId = owner && collectionIdOf(owner);
  const needsSchema = collectionId && (hasFilters(query) || sort.blockId);
  const found = needsSchema ? await content.schemas.find(db, businessId, collectionId) : null;
  const schema = found && (isStaff || found.status === 'PUBLISHED') ? found : null;
  const filters = readFilters(query, schema?.blocks ?? null, errors);
  if (schema) errors.push(...checkBlockIds(schema.blocks, filters, sort));
  if (errors.length > 0) throw invalid(errors);
  const position = cursors.decode(scope, query.cursor);
  const visible = await visibleStatuses(ctx, owner);
  const bySlug = query.slug === undefined ? null : await listIdsBySlug(quick, businessId, owner, query.slug);
  const sent = query.onlySent ? await content.listSentEntries(lists, businessId, collectionId) : null;
  const words = query.query ? [...wordsOf(query.query)] : null;
  const requested: readonly string[] | undefined = query.status === undefined ? query.statuses : [query.status];
  const list: EntryList = {
    businessId,
    owner,
    isStaff,
    includesOthers: isStaff && may(ctx.caller, businessId, 'ORDER_READ'),
    statuses: requested ? visible.filter((status) => requested.includes(status)) : visible,
    filters: query.locale === undefined ? filters : [...filters, { blockId: LOCALE, keys: keysOfText(query.locale) }],
    ids: inAll([bySlug, query.ids, sent]),
    search: words?.map((word) => `'${word}':*`).join(' & ') ?? null,
    createdFrom: query.createdAtFrom ?? null,
    createdTo: query.createdAtTo ?? null,
    descending: sort.descending,
    limit: pageLimit(query.limit) + 1,
  };
  const isEmpty = list.statuses.length === 0 || words?.length === 0 || list.ids?.length === 0;
  const reads = isPlain(list) && sort.blockId === null ? quickLists : lists;
  const narrow = isEmpty ? list : await narrowed(lists, list, sort);
  const rows = isEmpty ? [] : await readPage(reads, narrow, sort, position);
  const { items, cursor } = cursors.page(
    scope,
    rows,
    countRowsPerPage(rows, list.limit - 1),
    (row) => (row.key === '' ? [row.createdAt, row.id] : [row.createdAt, row.id, row.key]),
    (row) => row,
  );
  const read = (ids: string[]) => listDocuments(quick, businessId, ids, { statuses: visible, isStaff });
  const audienceOf = await findAudience(ctx, items);
  const viewFor = (entry: Gate): GatedView => `${audienceOf(entry)} item`;
  const responses = await content.entryResponses.page(ctx, items, read, isStrict, viewFor);
  const count = async () => (isEmpty ? 0 : countEntries(lists, narrow));
  return responses && addTotal({ items: responses, cursor }, query, count);
}

/** The IDs that are in all of these lists. Null if there are no lists. */
function inAll(lists: readonly (readonly string[] | null | undefined)[]): readonly string[] | null {
  const [first, ...others] = lists.filter((list) => list != null);
  const sets = others.map((list) => new Set(list));
  return first?.filter((id) => sets.every((set) => set.has(id))) ?? null;
}

/** When sorting by a block, returns entries with a value first, then the others by age. */
async function readPage(
  db: Db,
  list: EntryList,
  { blockId }: Sort,
  position: CursorValue[] | null,
): Promise<readonly ListedRow[]> {
  const [createdAt, id, key] = (position ?? []) as [number?, string?, string?];
  const age = createdAt === undefined ? null : ([createdAt, id!] as const);
  if (blockId === null) {
    const isSearch = list.search !== null && list.ids === null && list.filters.length === 0;
    const matches = isSearch ? await listNextMatches(db, list, RARE, age) : [];
    return matches.length >= list.limit ? matches : listByAge(db, list, age);
  }
  if (age && key === undefined) return listWithoutValue(db, list, blockId, age);
  const rows = await listByValue(db, list, blockId, age && [key!, ...age]);
  if (rows.length >= list.limit) return rows;
  return [...rows, ...(await listWithoutValue(db, { ...list, limit: list.limit - rows.length }, blockId, null))];
}

/**
 * When several conditions apply, evaluates the rare ones first and lists their matches by ID. The other conditions are then
 * checked only for these entries.
 */
async function narrowed(db: Db, list: EntryList, sort: Sort): Promise<EntryList> {
  const conditions = list.filters.length + (list.search === null ? 0 : 1);
  if (list.ids !== null || conditions === 0 || (conditions === 1 && sort.blockId === null)) return list;
  const [matches, ...found] = await Promise.all([
    list.search === null ? null : probeSearch(db, list, RARE),
    ...list.filters.map((filter) => probeFilter(db, list, filter, RARE)),
  ]);
  const isCommon = (ids: string[] | null | undefined) => !ids || ids.length >= RARE;
  const [first, ...others] = [matches, ...found].filter((ids) => !isCommon(ids)) as string[][];
  if (!first) return list;
  const sets = others.map((ids) => new Set(ids));
  return {
    ...list,
    filters: list.filters.filter((_, i) => isCommon(found[i])),
    search: isCommon(matches) ? list.search : null,
    ids: first.filter((id) => sets.every((set) => set.has(id))),
  };
}
