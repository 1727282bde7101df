import { countRows } from '../../../../db/count.ts';
import type { Db } from '../../../../db/sql.ts';
import { MAX_TOTAL } from '../../../../shared/paging.ts';
import type { Gate } from '../../access.ts';
import { collectionIdOf } from '../../owners.ts';
import { LOCKED } from '../index-values.ts';

/** Matches entries where the block has any of these keys. */
export type ValueFilter = { blockId: string; keys: string[] };

export type EntryList = {
  businessId: string;
  /** Null for all collections. */
  owner: string | null;
  /** With a null `owner`: also entries of orders and reservations. */
  includesOthers: boolean;
  /** Only staff see entries of collections that are not PUBLISHED. */
  isStaff: boolean;
  statuses: readonly string[];
  filters: readonly ValueFilter[];
  /** Null for any. */
  ids: readonly string[] | null;
  /** A tsquery, or null. */
  search: string | null;
  /** Unix seconds, inclusive; null for any. */
  createdFrom: number | null;
  createdTo: number | null;
  descending: boolean;
  limit: number;
};

/** `key`: the sort key in addition to age. Empty if entries are sorted by age only. */
export type ListedRow = Gate & { id: string; version: number; createdAt: number; bytes: number; key: string };

type AgePosition = readonly [createdAt: number, id: string];
type ValuePosition = readonly [key: string, createdAt: number, id: string];

/**
 * Lists entries by age. Each combination of owner and status is one range of an index in this order, so at most one page per
 * combination is read, regardless of the number of entries; the results are merged. With filters, reads the
 * range of the first filter, which should be the rarest, and checks the others per entry.
 */
export function listByAge(db: Db, list: EntryList, after: AgePosition | null) {
  return isPlain(list) ? listPlain(db, list, after) : listRanges(db, list, after);
}

export const countEntries = (db: Db, list: EntryList) =>
  countRows(db, listRanges(db, { ...list, limit: MAX_TOTAL }, null));

function listRanges(db: Db, list: EntryList, after: AgePosition | null) {
  if (list.ids !== null || list.search !== null) return listFlat(db, list, after);
  const [first, ...others] = list.filters;
  if (first) return listByFilter(db, list, first, others, after);
  const range = db`
    ${createdIn(db, list, db`e.created_at`)}
    ${afterAge(db, list, after, db`e.created_at, e.id`)}
    ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${list.limit}`;
  // Every order can have entries, so they are one range of a separate index rather than one range per owner.
  const otherOwners = db`
    union all (
      select e.id, e.version, e.created_at, e.doc_bytes as bytes, e.owner, e.access, e.plan_ids from entries e
      where e.business_id = ${list.businessId} and e.owner not like 'collection:%'
        and e.status = any(${list.statuses as string[]}) ${range}
    )`;
  return db<ListedRow[]>`
    select page.id, page.version, page.created_at, page.bytes, page.owner, page.access, page.plan_ids, '' as key
    from (
      select part.* from ${owners(db, { ...list, includesOthers: false })} o cross join ${statuses(db, list)} cross join lateral (
        select e.id, e.version, e.created_at, e.doc_bytes as bytes, e.owner, e.access, e.plan_ids from entries e
        where e.business_id = ${list.businessId} and e.owner = o.owner and e.status = s.status ${range}
      ) part
      ${list.owner === null && list.includesOthers ? otherOwners : db``}
    ) page
    ${orderByAge(db, list, db`page.created_at`, db`page.id`)} limit ${list.limit}`;
}

/** Typical storefront lists: all entries of one owner in one status. Reads a single index range. */
export const isPlain = ({ owner, statuses, filters, ids, search, createdFrom, createdTo }: EntryList) =>
  owner !== null &&
  statuses.length === 1 &&
  filters.length === 0 &&
  (ids ?? search ?? createdFrom ?? createdTo) === null;

/** Plain SQL text, because composing fragments would cost more than the rest of the request. */
function listPlain(db: Db, list: EntryList, after: AgePosition | null) {
  const { businessId, owner, statuses, descending, limit, isStaff } = list;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const collectionId = collectionIdOf(owner!);
  const text = `
    select id, version, created_at, doc_bytes as bytes, owner, access, plan_ids, '' as key from entries
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

/** Sorted by a block's values; leaves out entries without a value. */
export function listByValue(db: Db, list: EntryList, blockId: string, after: ValuePosition | null) {
  const direction = list.descending ? db`desc` : db`asc`;
  const comparison = list.descending ? db`<` : db`>`;
  return db<ListedRow[]>`
    select e.id, e.version, e.created_at, e.doc_bytes as bytes, e.owner, e.access, e.plan_ids, page.key
    from (
      select part.* from ${owners(db, list)} o cross join ${statuses(db, valuesOf(list))} cross join lateral (
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

/** The entries that `listByValue` leaves out, by age. */
export const listWithoutValue = (db: Db, list: EntryList, blockId: string, after: AgePosition | null) => db<
  ListedRow[]
>`
  select page.id, page.version, page.created_at, page.bytes, page.owner, page.access, page.plan_ids, '' as key
  from ${owners(db, list)} o cross join ${statuses(db, list)} cross join lateral (
    select e.id, e.version, e.created_at, e.doc_bytes as bytes, e.owner, e.access, e.plan_ids from entries e
    where e.business_id = ${list.businessId} and e.owner = o.owner and e.status = s.status
      and not exists (
        select from entry_values v
        where v.business_id = ${list.businessId} and v.entry_id = e.id and v.block_id = ${blockId} and v.n = 0
          ${isVisible(db, list, db`v`)}
      )
      ${conditions(db, list, db`e.id`)}
      ${createdIn(db, list, db`e.created_at`)}
        ${afterAge(db, list, after, db`e.created_at, e.id`)}
    ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${list.limit}
  ) page
  ${orderByAge(db, list, db`page.created_at`, db`page.id`)} limit ${list.limit}`;

/** Search matches among the next `depth` entries. Fast, and returns a full page if the words are common. */
export const listNextMatches = (db: Db, list: EntryList, depth: number, after: AgePosition | null) => db<ListedRow[]>`
  select e.id, e.version, e.created_at, e.doc_bytes as bytes, e.owner, e.access, e.plan_ids, '' as key
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
  where ${matches(db, list, db`e`)}
  ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${list.limit}`;

/** Up to `limit` entries that match a filter, unordered. Reaching the limit means the value is common. */
export async function probeFilter(db: Db, list: EntryList, filter: ValueFilter, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct v.entry_id as id from (
      select v.entry_id from entry_values v
      where v.business_id = ${list.businessId} and v.owner in (select owner from ${owners(db, list)} o)
        and v.block_id = ${filter.blockId} and v.status = any(${valuesOf(list).statuses})
        and v.key = any(${filter.keys})
      limit ${limit}
    ) v`;
  return rows.map((row) => row.id);
}

/** Like `probeFilter`, for the text search. */
export async function probeSearch(db: Db, list: EntryList, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select e.id from entries e
    where e.business_id = ${list.businessId} and e.owner in (select owner from ${owners(db, list)} o)
      and e.status = any(${list.statuses as string[]}) and ${matches(db, list, db`e`)}
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
    select e.id, e.version, e.created_at, e.doc_bytes as bytes, e.owner, e.access, e.plan_ids, '' as key
    from (
      select distinct part.* from ${owners(db, list)} o cross join ${statuses(db, valuesOf(list))}
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

/** For a few IDs, and for text search, because the planner can estimate how rare the words are. */
const listFlat = (db: Db, list: EntryList, after: AgePosition | null) => db<ListedRow[]>`
  select e.id, e.version, e.created_at, e.doc_bytes as bytes, e.owner, e.access, e.plan_ids, '' as key
  from entries e
  where e.business_id = ${list.businessId} and e.owner in (select owner from ${owners(db, list)} o)
    and e.status = any(${list.statuses as string[]})
    ${list.search === null ? db`` : db`and ${matches(db, list, db`e`)}`}
    ${conditions(db, { ...list, search: null }, db`e.id`)}
    ${createdIn(db, list, db`e.created_at`)}
        ${afterAge(db, list, after, db`e.created_at, e.id`)}
  ${orderByAge(db, list, db`e.created_at`, db`e.id`)} limit ${list.limit}`;

type Fragment = ReturnType<Db>;

/** Owners whose entries are visible: existing collections, and only PUBLISHED ones for non-staff. */
function owners(db: Db, { businessId, owner, isStaff, includesOthers }: EntryList) {
  const collectionId = owner && collectionIdOf(owner);
  if (owner !== null && collectionId === null) return db`(select ${owner}::text as owner)`;
  return db`(
    select 'collection:' || id as owner from collections
    where business_id = ${businessId} and deleted_at is null ${isStaff ? db`` : db`and status = 'PUBLISHED'`}
      ${collectionId === null ? db`` : db`and id = ${collectionId}`}
    ${owner === null && includesOthers ? db`union all select distinct owner from entries where business_id = ${businessId} and owner not like 'collection:%'` : db``}
  )`;
}

const statuses = (db: Db, list: Pick<EntryList, 'statuses'>) =>
  db`unnest(${list.statuses as string[]}::text[]) as s (status)`;

/** Everyone searches the public words. Staff also search the others. */
const matches = (db: Db, { search, isStaff }: EntryList, entry: Fragment) =>
  isStaff
    ? db`(${entry}.search @@ ${search}::tsquery or ${entry}.full_search @@ ${search}::tsquery)`
    : db`${entry}.search @@ ${search}::tsquery`;

/** The statuses of the values to look at. Only staff can filter and sort by locked values, which belong to published entries. */
const valuesOf = ({ statuses, isStaff }: EntryList) => ({
  statuses: isStaff && statuses.includes('PUBLISHED') ? [...statuses, LOCKED] : [...statuses],
});

const isVisible = (db: Db, { isStaff }: EntryList, value: Fragment) =>
  isStaff ? db`` : db`and ${value}.status <> ${LOCKED}`;

const afterAge = (db: Db, { descending }: EntryList, after: AgePosition | null, columns: Fragment) =>
  after ? db`and (${columns}) ${descending ? db`<` : db`>`} (${after[0]}, ${after[1]})` : db``;

const createdIn = (db: Db, { createdFrom, createdTo }: EntryList, column: Fragment) => db`
  ${createdFrom === null ? db`` : db`and ${column} >= ${createdFrom}`}
  ${createdTo === null ? db`` : db`and ${column} <= ${createdTo}`}`;

function orderByAge(db: Db, { descending }: EntryList, createdAt: Fragment, id: Fragment) {
  const direction = descending ? db`desc` : db`asc`;
  return db`order by ${createdAt} ${direction}, ${id} ${direction}`;
}

/** Conditions on the entry with this ID besides owner and status. */
function conditions(db: Db, list: EntryList, entryId: Fragment) {
  const { businessId, filters, ids, search } = list;
  const parts = filters.map(
    ({ blockId, keys }) => db`
      and exists (
        select from entry_values w
        where w.business_id = ${businessId} and w.entry_id = ${entryId} and w.block_id = ${blockId}
          and w.key = any(${keys}) ${isVisible(db, list, db`w`)}
      )`,
  );
  if (ids !== null) parts.push(db`and ${entryId} = any(${ids as string[]})`);
  if (search !== null) {
    parts.push(db`
      and exists (
        select from entries w
        where w.business_id = ${businessId} and w.id = ${entryId} and ${matches(db, list, db`w`)}
      )`);
  }
  return parts.length === 0 ? db`` : db`${parts}`;
}
