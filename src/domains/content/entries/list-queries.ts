import type { Db } from '../../../db/sql.ts';
import { collectionIdOf } from '../owners.ts';

/** Entries with one of these keys among the values of a block. */
export type ValueFilter = { blockId: string; keys: string[] };

export type EntryList = {
  businessId: string;
  /** Null: of every collection. */
  owner: string | null;
  /** Of a collection that is not PUBLISHED the staff alone sees entries. */
  isStaff: boolean;
  statuses: readonly string[];
  filters: readonly ValueFilter[];
  /** Null: any. */
  ids: readonly string[] | null;
  /** A tsquery, or null. */
  search: string | null;
  /** Unix seconds, both included; null: any. */
  createdFrom: number | null;
  createdTo: number | null;
  descending: boolean;
  limit: number;
};

/** `key`: what it is sorted by besides its age, or nothing. */
export type ListedRow = { id: string; version: number; createdAt: number; bytes: number; key: string };

type AgePosition = readonly [createdAt: number, id: string];
type ValuePosition = readonly [key: string, createdAt: number, id: string];

/**
 * In the order of age. Each combination of owner and status is one range of an index that is already in this order, so that
 * at most a page of each is read, however many entries there are; the page is merged from those. With filters the range is
 * that of the first one, which should be the rarest, and the others are looked up for each entry.
 */
export function listByAge(db: Db, list: EntryList, after: AgePosition | null) {
  if (isPlain(list)) return listPlain(db, list, after);
  if (list.ids !== null || list.search !== null) return listFlat(db, list, after);
  const [first, ...others] = list.filters;
  if (first) return listByFilter(db, list, first, others, after);
  return db<ListedRow[]>`
    select page.id, page.version, page.created_at, page.bytes, '' as key
    from ${owners(db, list)} o cross join ${statuses(db, list)} cross join lateral (
      select e.id, e.version, e.created_at, octet_length(e.doc) as bytes from entries e
      where e.business_id = ${list.businessId} and e.owner = o.owner and e.status = s.status
        ${createdIn(db, list, db`e.created_at`)}
        ${afterAge(db, list, after, db`e.created_at, e.id`)}
      ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${list.limit}
    ) page
    ${orderByAge(db, list, db`page.created_at`, db`page.id`)} limit ${list.limit}`;
}

/** What a site shows: everything of one owner in one status. One range of an index, however it is sorted by age. */
export const isPlain = ({ owner, statuses, filters, ids, search, createdFrom, createdTo }: EntryList) =>
  owner !== null &&
  statuses.length === 1 &&
  filters.length === 0 &&
  (ids ?? search ?? createdFrom ?? createdTo) === null;

/** Written as text: putting fragments together would cost more than the rest of the request. */
function listPlain(db: Db, list: EntryList, after: AgePosition | null) {
  const { businessId, owner, statuses, descending, limit, isStaff } = list;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const collectionId = collectionIdOf(owner!);
  const text = `
    select id, version, created_at, octet_length(doc) as bytes, '' as key from entries
    where business_id = $1 and owner = $2 and status = $3
      and ($5::text is null or exists (
        select from collections
        where business_id = $1 and id = $5 and deleted_at is null ${isStaff ? '' : `and status = 'PUBLISHED'`}
      ))
      ${after ? `and (created_at, id) ${beyond} ($6, $7)` : ''}
    order by created_at ${direction}, id ${direction} limit $4`;
  const values = [businessId, owner, statuses[0]!, limit, collectionId, ...(after ?? [])];
  return db.text<ListedRow[]>(text, values);
}

/** In the order of a block's values; entries without a value are not in it. */
export function listByValue(db: Db, list: EntryList, blockId: string, after: ValuePosition | null) {
  const direction = list.descending ? db`desc` : db`asc`;
  const comparison = list.descending ? db`<` : db`>`;
  return db<ListedRow[]>`
    select e.id, e.version, e.created_at, octet_length(e.doc) as bytes, page.key
    from (
      select part.* from ${owners(db, list)} o cross join ${statuses(db, list)} cross join lateral (
        select v.entry_id, v.created_at, v.key from entry_values v
        where v.business_id = ${list.businessId} and v.owner = o.owner and v.block_id = ${blockId}
          and v.status = s.status and v.n = 0 ${createdIn(db, list, db`v.created_at`)}
          ${after ? db`and (v.key, v.created_at, v.entry_id) ${comparison} (${after[0]}, ${after[1]}, ${after[2]})` : db``}
          ${conditions(db, list, db`v.entry_id`)}
        order by v.key ${direction}, v.created_at ${direction}, v.entry_id ${direction} limit ${list.limit}
      ) part
      order by part.key ${direction}, part.created_at ${direction}, part.entry_id ${direction} limit ${list.limit}
    ) page
    join entries e on e.business_id = ${list.businessId} and e.id = page.entry_id
    order by page.key ${direction}, e.created_at ${direction}, e.id ${direction}`;
}

/** Those that `listByValue` leaves out, in the order of age. */
export const listWithoutValue = (db: Db, list: EntryList, blockId: string, after: AgePosition | null) => db<
  ListedRow[]
>`
  select page.id, page.version, page.created_at, page.bytes, '' as key
  from ${owners(db, list)} o cross join ${statuses(db, list)} cross join lateral (
    select e.id, e.version, e.created_at, octet_length(e.doc) as bytes from entries e
    where e.business_id = ${list.businessId} and e.owner = o.owner and e.status = s.status
      and not exists (
        select from entry_values v
        where v.business_id = ${list.businessId} and v.entry_id = e.id and v.block_id = ${blockId} and v.n = 0
      )
      ${conditions(db, list, db`e.id`)}
      ${createdIn(db, list, db`e.created_at`)}
        ${afterAge(db, list, after, db`e.created_at, e.id`)}
    ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${list.limit}
  ) page
  ${orderByAge(db, list, db`page.created_at`, db`page.id`)} limit ${list.limit}`;

/** The matches of a text search among the next `depth` entries: quick, and a full page where the words are common. */
export const listNextMatches = (db: Db, list: EntryList, depth: number, after: AgePosition | null) => db<ListedRow[]>`
  select e.id, e.version, e.created_at, octet_length(e.doc) as bytes, '' as key
  from (
    select part.* from ${owners(db, list)} o cross join ${statuses(db, list)} cross join lateral (
      select e.created_at, e.id from entries e
      where e.business_id = ${list.businessId} and e.owner = o.owner and e.status = s.status
        ${createdIn(db, list, db`e.created_at`)}
        ${afterAge(db, list, after, db`e.created_at, e.id`)}
      ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${depth}
    ) part
    ${orderByAge(db, list, db`part.created_at`, db`part.id`)} limit ${depth}
  ) next
  join entries e on e.business_id = ${list.businessId} and e.id = next.id
  where e.search @@ ${list.search}::tsquery
  ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${list.limit}`;

/** Up to `limit` of the entries that pass a filter, in no order: all of them, or it is a common value. */
export async function probeFilter(db: Db, list: EntryList, filter: ValueFilter, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct v.entry_id as id from (
      select v.entry_id from entry_values v
      where v.business_id = ${list.businessId} and v.owner in (select owner from ${owners(db, list)} o)
        and v.block_id = ${filter.blockId} and v.status = any(${list.statuses as string[]})
        and v.key = any(${filter.keys})
      limit ${limit}
    ) v`;
  return rows.map((row) => row.id);
}

/** The same for the text search. */
export async function probeSearch(db: Db, list: EntryList, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select e.id from entries e
    where e.business_id = ${list.businessId} and e.owner in (select owner from ${owners(db, list)} o)
      and e.status = any(${list.statuses as string[]}) and e.search @@ ${list.search}::tsquery
    limit ${limit}`;
  return rows.map((row) => row.id);
}

function listByFilter(
  db: Db,
  list: EntryList,
  { blockId, keys }: ValueFilter,
  others: readonly ValueFilter[],
  after: AgePosition | null,
) {
  return db<ListedRow[]>`
    select e.id, e.version, e.created_at, octet_length(e.doc) as bytes, '' as key
    from (
      select distinct part.* from ${owners(db, list)} o cross join ${statuses(db, list)}
      cross join unnest(${keys}::text[]) as k (key) cross join lateral (
        select v.created_at, v.entry_id from entry_values v
        where v.business_id = ${list.businessId} and v.owner = o.owner and v.block_id = ${blockId}
          and v.status = s.status and v.key = k.key
          ${createdIn(db, list, db`v.created_at`)}
          ${afterAge(db, list, after, db`v.created_at, v.entry_id`)}
          ${conditions(db, { ...list, filters: others }, db`v.entry_id`)}
        ${orderByAge(db, list, db`v.created_at`, db`v.entry_id`)} limit ${list.limit}
      ) part
      ${orderByAge(db, list, db`part.created_at`, db`part.entry_id`)} limit ${list.limit}
    ) page
    join entries e on e.business_id = ${list.businessId} and e.id = page.entry_id
    ${orderByAge(db, list, db`e.created_at`, db`e.id`)}`;
}

/** For a few ids, and for a text search, where the planner weighs how rare the words are. */
const listFlat = (db: Db, list: EntryList, after: AgePosition | null) => db<ListedRow[]>`
  select e.id, e.version, e.created_at, octet_length(e.doc) as bytes, '' as key
  from entries e
  where e.business_id = ${list.businessId} and e.owner in (select owner from ${owners(db, list)} o)
    and e.status = any(${list.statuses as string[]})
    ${list.search === null ? db`` : db`and e.search @@ ${list.search}::tsquery`}
    ${conditions(db, { ...list, search: null }, db`e.id`)}
    ${createdIn(db, list, db`e.created_at`)}
        ${afterAge(db, list, after, db`e.created_at, e.id`)}
  ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${list.limit}`;

type Fragment = ReturnType<Db>;

/** Those whose entries can be seen: a collection only as long as it is there, and PUBLISHED for those who are not staff. */
function owners(db: Db, { businessId, owner, isStaff }: EntryList) {
  const collectionId = owner && collectionIdOf(owner);
  if (owner !== null && collectionId === null) return db`(select ${owner}::text as owner)`;
  return db`(
    select 'collection:' || id as owner from collections
    where business_id = ${businessId} and deleted_at is null ${isStaff ? db`` : db`and status = 'PUBLISHED'`}
      ${collectionId === null ? db`` : db`and id = ${collectionId}`}
  )`;
}

const statuses = (db: Db, list: EntryList) => db`unnest(${list.statuses as string[]}::text[]) as s (status)`;

const afterAge = (db: Db, { descending }: EntryList, after: AgePosition | null, columns: Fragment) =>
  after ? db`and (${columns}) ${descending ? db`<` : db`>`} (${after[0]}, ${after[1]})` : db``;

const createdIn = (db: Db, { createdFrom, createdTo }: EntryList, column: Fragment) => db`
  ${createdFrom === null ? db`` : db`and ${column} >= ${createdFrom}`}
  ${createdTo === null ? db`` : db`and ${column} <= ${createdTo}`}`;

function orderByAge(db: Db, { descending }: EntryList, createdAt: Fragment, id: Fragment) {
  const direction = descending ? db`desc` : db`asc`;
  return db`order by ${createdAt} ${direction}, ${id} ${direction}`;
}

/** What the entry with this id must fulfil beyond owner and status. */
function conditions(db: Db, { businessId, filters, ids, search }: EntryList, entryId: Fragment) {
  const parts = filters.map(
    ({ blockId, keys }) => db`
      and exists (
        select from entry_values w
        where w.business_id = ${businessId} and w.entry_id = ${entryId} and w.block_id = ${blockId}
          and w.key = any(${keys})
      )`,
  );
  if (ids !== null) parts.push(db`and ${entryId} = any(${ids as string[]})`);
  if (search !== null) {
    parts.push(db`
      and exists (
        select from entries w
        where w.business_id = ${businessId} and w.id = ${entryId} and w.search @@ ${search}::tsquery
      )`);
  }
  return parts.length === 0 ? db`` : db`${parts}`;
}
