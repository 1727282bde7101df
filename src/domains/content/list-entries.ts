import type { Db } from '../../db/connection.ts';
import type { BlockDefinition, BlockType } from '../../shared/blocks.ts';
import type { Caller } from '../../shared/caller.ts';
import { type FieldError, invalid } from '../../shared/errors.ts';
import { type Cursors, type CursorValue, type Page, pageLimit } from '../../shared/paging.ts';
import type { ContentContext } from './context.ts';
import { parseOwner, visibleStatuses } from './entry-access.ts';
import { keysOfText, LOCALE, UPDATED_AT, wordsOf } from './entry-index.ts';
import { listDocuments } from './entry-queries.ts';
import { ownerOf } from './entry-rules.ts';
import {
  type EntryList,
  isPlain,
  type ListedRow,
  listByAge,
  listByValue,
  listNextMatches,
  listWithoutValue,
  probeFilter,
  probeSearch,
  type ValueFilter,
} from './list-queries.ts';
import type { EntryQuery } from './schemas.ts';

const MAX_FILTERS = 10;
/** A value or word that fewer entries have is rare: those entries are gathered first. */
const RARE = 500;
const SORTABLE: readonly BlockType[] = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'RELATIONSHIP'];

/** Null: by age. */
type Sort = { blockId: string | null; descending: boolean };

/** A page of entries, each as the JSON it is stored as. */
export async function listEntries(
  { schemas, references, quick, documents }: ContentContext,
  db: Db,
  cursors: Cursors,
  caller: Caller,
  businessId: string,
  query: EntryQuery,
): Promise<Page<string>> {
  const errors: FieldError[] = [];
  const owner = ownerOf(query, errors) ?? null;
  const filters = readFilters(query, errors);
  const sort = readSort(query);
  const scope = `entries:${owner ?? ''}:${sort.blockId ?? ''}:${sort.descending}`;
  if (owner?.startsWith('collection:') && (filters.length > 0 || sort.blockId)) {
    const schema = await schemas.find(db, businessId, parseOwner(owner).id);
    if (schema) errors.push(...checkBlockIds(schema.blocks, filters, sort));
  }
  if (errors.length > 0) throw invalid(errors);
  const position = cursors.decode(scope, query.cursor);
  const visible = await visibleStatuses(references, db, caller, businessId, owner);
  const words = query.query ? [...wordsOf(query.query)] : null;
  const list: EntryList = {
    businessId,
    owner,
    statuses: query.status === undefined ? visible : visible.filter((status) => status === query.status),
    filters: query.locale === undefined ? filters : [...filters, { blockId: LOCALE, keys: keysOfText(query.locale) }],
    ids: query.ids ?? null,
    search: words?.map((word) => `'${word}':*`).join(' & ') ?? null,
    descending: sort.descending,
    limit: pageLimit(query.limit) + 1,
  };
  const isEmpty = list.statuses.length === 0 || words?.length === 0 || list.ids?.length === 0;
  const reads = isPlain(list) && sort.blockId === null ? quick : db;
  const rows = isEmpty ? [] : await readPage(reads, await narrowed(db, list, sort), sort, position);
  const { items, cursor } = cursors.page(
    scope,
    rows,
    list.limit - 1,
    (row) => (row.key === '' ? [row.createdAt, row.id] : [row.createdAt, row.id, row.key]),
    (row) => row,
  );
  const docs = await documents.complete(businessId, items, (ids) => listDocuments(quick, businessId, ids, visible));
  return { items: docs, cursor };
}

/** With a sort order of a block: first those that have a value, then the others by age. */
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
 * Where several conditions meet, the rare one should lead: the entries that pass it are named by id, so that the others are
 * looked at for those alone.
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

/** `filter[blockId]=value`. */
function readFilters(query: EntryQuery, errors: FieldError[]): ValueFilter[] {
  const filters: ValueFilter[] = [];
  for (const [name, value] of Object.entries(query)) {
    const [, blockId] = /^filter\[([A-Za-z0-9_.:-]{1,64})\]$/.exec(name) ?? [];
    if (blockId === undefined) {
      if (name.startsWith('filter[')) errors.push(wrong(name.slice(0, 80), 'INVALID_FORMAT', 'names no block.'));
      continue;
    }
    filters.push({ blockId, keys: [value].flat().flatMap((text) => keysOfText(String(text))) });
  }
  if (filters.length > MAX_FILTERS) errors.push(wrong('filter', 'TOO_LONG', `may name at most ${MAX_FILTERS} blocks.`));
  return filters;
}

/** Times begin with the newest, blocks with the smallest, unless said otherwise. */
function readSort({ sort = 'createdAt', order }: EntryQuery): Sort {
  const [, sign, name] = /^([-+ ]?)(.*)$/.exec(sort)!;
  const isTime = name === 'createdAt' || name === 'updatedAt';
  const blockId = name === 'createdAt' ? null : name === 'updatedAt' ? UPDATED_AT : name!;
  const direction = order ?? (sign === '-' ? 'desc' : sign ? 'asc' : isTime ? 'desc' : 'asc');
  return { blockId, descending: direction === 'desc' };
}

function checkBlockIds(
  blocks: readonly BlockDefinition[],
  filters: readonly ValueFilter[],
  { blockId }: Sort,
): FieldError[] {
  const types = new Map(blocks.map(({ id, type, settings }) => [id, settings?.many ? null : type]));
  const errors = filters
    .filter((filter) => !types.has(filter.blockId))
    .map((filter) => wrong(`filter[${filter.blockId}]`, 'UNKNOWN_BLOCK', 'is not a block of the collection.'));
  if (blockId === null || blockId === UPDATED_AT) return errors;
  const type = types.get(blockId);
  if (type === undefined) errors.push(wrong('sort', 'UNKNOWN_BLOCK', 'is not a block of the collection.'));
  else if (type === null || !SORTABLE.includes(type))
    errors.push(wrong('sort', 'INVALID_VALUE', 'cannot be sorted by.'));
  return errors;
}

const wrong = (field: string, error: string, message: string): FieldError => ({
  field,
  error,
  message: `${field} ${message}`,
});
