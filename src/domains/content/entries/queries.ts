import type { Db, Tx } from '../../../db/sql.ts';
import { currentStatus } from '../../../shared/records/status-history.ts';
import { wordsOf } from '../../../shared/text/text-words.ts';
import { deleteReferences } from '../../media/index.ts';
import { deleteVersions, type NewVersion, withVersion } from '../../publishing/index.ts';
import type { Gate } from '../access.ts';
import { collectionOwner } from '../owners.ts';
import { INDEX_RULES, indexedValues, LOCKED, searchWords } from './index-values.ts';
import { isGated, publicBlocks } from './public-part.ts';
import type { Entry } from './schemas.ts';

export type EntryRow = { doc: Entry; version: number; owner: string; status: string };
/** `doc` is null if the version is known. */
type EntryState = Omit<EntryRow, 'doc'> & Gate & { doc: Entry | null };

/**
 * A condition on `entries e`: an entry of a collection exists only while the collection exists, and is visible only if the
 * collection is visible.
 */
const ownerIs = (condition: string) => `
  (e.owner not like 'collection:%' or exists (
    select from collections c
    where c.business_id = e.business_id and c.id = substr(e.owner, ${collectionOwner('').length + 1})
      and c.deleted_at is null ${condition}
  ))`;
export const OWNER_EXISTS = ownerIs('');
const OWNER_PUBLISHED = ownerIs(`and c.status = 'PUBLISHED'`);

export async function findEntry(db: Db, businessId: string, id: string): Promise<EntryRow | null> {
  const [row] = await db<EntryRow[]>`
    select doc, version, owner, status from entries e
    where business_id = ${businessId} and id = ${id} and ${db.text(OWNER_EXISTS)}`;
  return row ?? null;
}

/** Frequent reads, so their SQL is built only once. */
const findState = (owner: string) => `
  select version, owner, status, access, plan_ids, case when version = $3 then null else doc end as doc from entries e
  where business_id = $1 and id = $2 and ${owner}`;
const FIND_STATE = findState(OWNER_EXISTS);
const FIND_PUBLIC_STATE = findState(OWNER_PUBLISHED);

/** Like `findEntry`, for a response: omits the document if its version is known. `isStaff` includes unpublished collections. */
export async function findEntryState(
  db: Db,
  businessId: string,
  id: string,
  { knownVersion, isStaff }: { knownVersion: number; isStaff: boolean },
): Promise<EntryState | null> {
  const text = isStaff ? FIND_STATE : FIND_PUBLIC_STATE;
  const [row] = await db.text<EntryState[]>(text, [businessId, id, knownVersion]);
  return row ?? null;
}

/** Documents of the entries with one of these statuses. */
export async function listDocuments(
  db: Db,
  businessId: string,
  ids: readonly string[],
  { statuses, isStaff }: { statuses: readonly string[]; isStaff: boolean },
): Promise<{ id: string; version: number; doc: Entry }[]> {
  return db<{ id: string; version: number; doc: Entry }[]>`
    select id, version, doc from entries e
    where business_id = ${businessId} and id = any(${ids as string[]}) and status = any(${statuses as string[]})
      and ${db.text(isStaff ? OWNER_EXISTS : OWNER_PUBLISHED)}`;
}

export async function lockEntry(tx: Tx, businessId: string, id: string): Promise<EntryRow | null> {
  const [row] = await tx<EntryRow[]>`
    select doc, version, owner, status from entries where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Protects the entry from deletion until the transaction ends. */
export async function lockEntryForUse(tx: Tx, businessId: string, id: string): Promise<{ owner: string } | null> {
  const [row] = await tx<{ owner: string }[]>`
    select owner from entries where business_id = ${businessId} and id = ${id} for key share`;
  return row ?? null;
}

/** Inserts the entry and its index in one statement. */
export async function insertEntry(tx: Tx, entry: Entry, words: readonly string[]): Promise<void> {
  await tx`
    with entry as (
      insert into entries (business_id, id, owner, slug, status, doc, search, full_search, index_rules, created_at)
      values (${entry.businessId}, ${entry.id}, ${entry.owner}, ${entry.slug ?? null}, ${currentStatus(entry.statuses)!},
        ${tx.json(entry)}, ${searchVectors(tx, entry, words)}, ${INDEX_RULES}, ${entry.createdAt})
    )
    ${insertValues(tx, entry)}`;
}

/** Null `words` leave the search index unchanged. A null `version` means the content is unchanged. */
export async function updateEntry(
  tx: Tx,
  entry: Entry,
  words: readonly string[] | null,
  version: NewVersion | null,
): Promise<void> {
  const { businessId, id } = entry;
  await tx`delete from entry_values where business_id = ${businessId} and entry_id = ${id}`;
  const update = tx`
    with updated as (
      update entries set owner = ${entry.owner}, slug = ${entry.slug ?? null}, status = ${currentStatus(entry.statuses)!},
        doc = ${tx.json(entry)}, version = version + 1
        ${words ? tx`, (search, full_search) = (${searchVectors(tx, entry, words)}), index_rules = ${INDEX_RULES}` : tx``}
      where business_id = ${businessId} and id = ${id}
    )
    ${insertValues(tx, entry)}`;
  await withVersion(tx, version, update);
}

/** Readers don't see the draft: search and filters still use the published content. */
export async function updateDraft(tx: Tx, entry: Entry, version: NewVersion | null): Promise<void> {
  const update = tx`
    update entries set doc = ${tx.json(entry)}, version = version + 1
    where business_id = ${entry.businessId} and id = ${entry.id}`;
  await withVersion(tx, version, update);
}

export async function deleteEntryRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await deleteVersions(tx, businessId, [`entry:${id}`]);
  await tx`delete from entry_values where business_id = ${businessId} and entry_id = ${id}`;
  await tx`delete from entries where business_id = ${businessId} and id = ${id}`;
}

export const listEntriesOwnedBy = (db: Db, businessId: string, owners: readonly string[]) =>
  db<
    { id: string; doc: Entry }[]
  >`select id, doc from entries where business_id = ${businessId} and owner = any(${owners as string[]}) order by id`;

/** Deletes up to `limit` of the collection's entries. Returns the number deleted. */
export async function deleteEntriesOf(
  tx: Tx,
  businessId: string,
  collectionId: string,
  limit: number,
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with batch as materialized (
      select id from entries where business_id = ${businessId} and owner = ${collectionOwner(collectionId)}
      limit ${limit} for update
    ),
    deleted_versions as (
      delete from versions where business_id = ${businessId} and entity = any(array(select 'entry:' || id from batch))
    ),
    deleted_plans as (
      delete from planned where business_id = ${businessId} and entity = any(array(select 'entry:' || id from batch))
    ),
    deleted_values as (
      delete from entry_values where business_id = ${businessId} and entry_id = any(array(select id from batch))
    ),
    deleted_references as (${deleteReferences(tx, businessId, tx`select 'entry:' || id from batch`)}),
    deleted as (
      delete from entries where business_id = ${businessId} and id = any(array(select id from batch)) returning 1
    )
    select count(*)::int as count from deleted`;
  return row!.count;
}

/** The IDs of entries with this slug. A null `owner` means all collections. */
export async function listIdsBySlug(db: Db, businessId: string, owner: string | null, slug: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from entries
    where business_id = ${businessId} and slug = ${slug} ${owner === null ? db`` : db`and owner = ${owner}`}`;
  return rows.map((row) => row.id);
}

/** The subset of these slugs that other entries of the owner use. */
export async function listTakenSlugs(
  db: Db,
  businessId: string,
  { owner, id, slugs }: { owner: string; id: string; slugs: string[] },
): Promise<string[]> {
  const rows = await db<{ slug: string }[]>`
    select slug from entries
    where business_id = ${businessId} and owner = ${owner} and slug = any(${slugs}) and id <> ${id}`;
  return rows.map((row) => row.slug);
}

export async function hasEntries(db: Db, businessId: string, owner: string): Promise<boolean> {
  const rows = await db`select from entries where business_id = ${businessId} and owner = ${owner} limit 1`;
  return rows.length > 0;
}

/** `publicOnly` limits the result to publicly visible entries. */
export async function existingEntries(
  db: Db,
  businessId: string,
  ids: readonly string[],
  publicOnly: boolean,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from entries e
    where business_id = ${businessId} and id = any(${ids as string[]})
      and ${db.text(publicOnly ? `status = 'PUBLISHED' and owner like 'collection:%' and ${OWNER_PUBLISHED}` : OWNER_EXISTS)}`;
  return rows.map((row) => row.id);
}

/**
 * The next business with entries indexed under older rules. The number is part of the SQL text, so that every plan can use
 * the index of outdated entries.
 */
export async function findOutdatedBusiness(db: Db, after: string): Promise<string | null> {
  const [row] = await db<{ businessId: string }[]>`
    select business_id from entries where index_rules < ${db.text(String(INDEX_RULES))} and business_id > ${after}
    order by business_id limit 1`;
  return row?.businessId ?? null;
}

/** Locks a batch of outdated entries. Skips entries that another transaction has locked. */
export async function lockOutdated(tx: Tx, businessId: string, limit: number): Promise<Entry[]> {
  const rows = await tx<{ doc: Entry }[]>`
    select doc from entries where business_id = ${businessId} and index_rules < ${tx.text(String(INDEX_RULES))}
    order by id limit ${limit} for update skip locked`;
  return rows.map(({ doc }) => doc);
}

/** Rebuilds the entry's index without changing the entry. */
export async function updateIndex(tx: Tx, entry: Entry): Promise<void> {
  const { businessId, id } = entry;
  const words = searchWords(entry.blocks, wordsOf);
  await tx`delete from entry_values where business_id = ${businessId} and entry_id = ${id}`;
  await tx`
    with entry as (
      update entries set (search, full_search) = (${searchVectors(tx, entry, words)}), index_rules = ${INDEX_RULES}
      where business_id = ${businessId} and id = ${id}
    )
    ${insertValues(tx, entry)}`;
}

const searchVector = (tx: Tx, words: readonly string[]) => tx`array_to_tsvector(${words as string[]}::text[])`;

/** `search` and `full_search`. Everyone can search the first one. */
const searchVectors = (tx: Tx, entry: Entry, words: readonly string[]) =>
  isGated(entry)
    ? tx`${searchVector(tx, searchWords(publicBlocks(entry.blocks), wordsOf))}, ${searchVector(tx, words)}`
    : tx`${searchVector(tx, words)}, null`;

function insertValues(tx: Tx, entry: Entry) {
  const values = indexedValues(entry);
  const status = currentStatus(entry.statuses)!;
  return tx`
    insert into entry_values (business_id, entry_id, block_id, n, owner, status, key, created_at)
    select ${entry.businessId}, ${entry.id}, v.block_id, v.n, ${entry.owner}, v.status, v.key, ${entry.createdAt}
    from unnest(${values.map(({ blockId }) => blockId)}::text[], ${values.map(({ n }) => n)}::smallint[],
      ${values.map(({ key }) => key)}::text[], ${values.map(({ isLocked }) => (isLocked && status === 'PUBLISHED' ? LOCKED : status))}::text[])
      as v (block_id, n, key, status)`;
}

/** PUBLISHED entries of this owner, newest first. */
export async function listNewest(
  db: Db,
  businessId: string,
  owner: string,
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<Entry[]> {
  const rows = await db<{ doc: Entry }[]>`
    select doc from (
      select doc, created_at, id, sum(bytes) over (order by created_at desc, id desc) - bytes as bytes_before from (
        select doc, created_at, id, octet_length(doc::text) as bytes from entries e
        where business_id = ${businessId} and owner = ${owner} and status = 'PUBLISHED' and ${db.text(OWNER_PUBLISHED)}
        order by created_at desc, id desc limit ${limit}) newest
    ) measured
    where bytes_before < ${maxBytes} order by created_at desc, id desc`;
  return rows.map(({ doc }) => doc);
}

/** Locks these entries in ID order. */
export const lockEntries = (tx: Tx, businessId: string, ids: string[]) => tx<{ id: string; doc: Entry }[]>`
  select id, doc from entries where business_id = ${businessId} and id = any(${ids}) order by id for update`;
