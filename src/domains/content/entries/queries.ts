import type { Db, Tx } from '../../../db/sql.ts';
import type { PreparedTexts } from '../../../shared/blocks.ts';
import type { Version } from '../../../shared/etag.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import { wordsOf } from '../../../shared/text-words.ts';
import { deleteReferences } from '../../media/index.ts';
import { deleteVersions, type NewVersion, withVersion } from '../../publishing/index.ts';
import { collectionOwner } from '../owners.ts';
import { INDEX_RULES, indexedValues, searchWords } from './index-values.ts';
import type { Entry } from './schemas.ts';

export type EntryRow = { doc: string; version: number; owner: string; status: string };

/**
 * A condition on `entries e`: an entry of a collection exists only as long as the collection does, and is seen only by those who
 * see the collection.
 */
const ownerIs = (condition: string) => `
  (e.owner not like 'collection:%' or exists (
    select from collections c
    where c.business_id = e.business_id and c.id = substr(e.owner, ${collectionOwner('').length + 1})
      and c.deleted_at is null ${condition}
  ))`;
const OWNER_EXISTS = ownerIs('');
const OWNER_PUBLISHED = ownerIs(`and c.status = 'PUBLISHED'`);

export async function findEntry(db: Db, businessId: string, id: string): Promise<EntryRow | null> {
  const [row] = await db<EntryRow[]>`
    select doc, version, owner, status from entries e
    where business_id = ${businessId} and id = ${id} and ${db.text(OWNER_EXISTS)}`;
  return row ?? null;
}

/** Read often: the texts are put together once. */
const findDocument = (owner: string) => `
  select version, owner, status, case when version = $3 then null else doc end as doc from entries e
  where business_id = $1 and id = $2 and ${owner}`;
const FIND_DOCUMENT = findDocument(OWNER_EXISTS);
const FIND_PUBLIC_DOCUMENT = findDocument(OWNER_PUBLISHED);

/** The same for an answer: without the document when it has the known version. `isStaff`: also of a collection that is not PUBLISHED. */
export async function findEntryDocument(
  db: Db,
  businessId: string,
  id: string,
  { knownVersion = 0, isStaff }: { knownVersion: Version | undefined; isStaff: boolean },
): Promise<(Omit<EntryRow, 'doc'> & { doc: string | null }) | null> {
  const [row] = await db.text<(Omit<EntryRow, 'doc'> & { doc: string | null })[]>(
    isStaff ? FIND_DOCUMENT : FIND_PUBLIC_DOCUMENT,
    [businessId, id, knownVersion],
  );
  return row ?? null;
}

/** The documents of those of these entries that are in one of these statuses. */
export async function listDocuments(
  db: Db,
  businessId: string,
  ids: readonly string[],
  { statuses, isStaff }: { statuses: readonly string[]; isStaff: boolean },
): Promise<{ id: string; version: number; doc: string }[]> {
  return db<{ id: string; version: number; doc: string }[]>`
    select id, version, doc from entries e
    where business_id = ${businessId} and id = any(${ids as string[]}) and status = any(${statuses as string[]})
      and ${db.text(isStaff ? OWNER_EXISTS : OWNER_PUBLISHED)}`;
}

export async function lockEntry(tx: Tx, businessId: string, id: string): Promise<EntryRow | null> {
  const [row] = await tx<EntryRow[]>`
    select doc, version, owner, status from entries where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** It cannot be deleted before the transaction ends. */
export async function lockEntryForUse(tx: Tx, businessId: string, id: string): Promise<{ owner: string } | null> {
  const [row] = await tx<{ owner: string }[]>`
    select owner from entries where business_id = ${businessId} and id = ${id} for key share`;
  return row ?? null;
}

/** The entry and what it can be found by, in one statement. */
export async function insertEntry(tx: Tx, entry: Entry, { words }: PreparedTexts): Promise<void> {
  await tx`
    with entry as (
      insert into entries (business_id, id, owner, status, doc, search, index_rules, created_at)
      values (${entry.businessId}, ${entry.id}, ${entry.owner}, ${currentStatus(entry.statuses)!},
        ${JSON.stringify(entry)}, ${searchVector(tx, entry, words)}, ${INDEX_RULES}, ${entry.createdAt})
    )
    ${insertValues(tx, entry)}`;
}

/** `words` null: the text search knows its texts already. `version` null: its content is as it was. */
export async function updateEntry(
  tx: Tx,
  entry: Entry,
  words: PreparedTexts['words'] | null,
  version: NewVersion | null,
): Promise<void> {
  const { businessId, id } = entry;
  await tx`delete from entry_values where business_id = ${businessId} and entry_id = ${id}`;
  const update = tx`
    with updated as (
      update entries set owner = ${entry.owner}, status = ${currentStatus(entry.statuses)!},
        doc = ${JSON.stringify(entry)}, version = version + 1
        ${words ? tx`, search = ${searchVector(tx, entry, words)}, index_rules = ${INDEX_RULES}` : tx``}
      where business_id = ${businessId} and id = ${id}
    )
    ${insertValues(tx, entry)}`;
  await withVersion(tx, version, update);
}

/** A draft beside the entry, of which readers see nothing: what the entry is found by stays. */
export async function updateDraft(tx: Tx, entry: Entry, version: NewVersion | null): Promise<void> {
  const update = tx`
    update entries set doc = ${JSON.stringify(entry)}, version = version + 1
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
    { id: string; doc: string }[]
  >`select id, doc from entries where business_id = ${businessId} and owner = any(${owners as string[]}) order by id`;

/** Up to `limit` entries of the collection. Returns how many. */
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

export async function hasEntries(db: Db, businessId: string, owner: string): Promise<boolean> {
  const rows = await db`select from entries where business_id = ${businessId} and owner = ${owner} limit 1`;
  return rows.length > 0;
}

/** `publicOnly`: those that everybody sees. */
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
 * The next business with entries whose index was made by older rules. The number is part of the text, so that the index of
 * outdated entries serves every plan.
 */
export async function findOutdatedBusiness(db: Db, after: string): Promise<string | null> {
  const [row] = await db<{ businessId: string }[]>`
    select business_id from entries where index_rules < ${db.text(String(INDEX_RULES))} and business_id > ${after}
    order by business_id limit 1`;
  return row?.businessId ?? null;
}

/** Some of those entries, locked; those that somebody else is changing are left out. */
export async function lockOutdated(tx: Tx, businessId: string, limit: number): Promise<Entry[]> {
  const rows = await tx<{ doc: string }[]>`
    select doc from entries where business_id = ${businessId} and index_rules < ${tx.text(String(INDEX_RULES))}
    order by id limit ${limit} for update skip locked`;
  return rows.map((row) => JSON.parse(row.doc) as Entry);
}

/** What the entry can be found by, made anew. The entry itself stays as it is. */
export async function updateIndex(tx: Tx, entry: Entry): Promise<void> {
  const { businessId, id } = entry;
  await tx`delete from entry_values where business_id = ${businessId} and entry_id = ${id}`;
  await tx`
    with entry as (
      update entries set search = ${searchVector(tx, entry, wordsOf)}, index_rules = ${INDEX_RULES}
      where business_id = ${businessId} and id = ${id}
    )
    ${insertValues(tx, entry)}`;
}

const searchVector = (tx: Tx, { blocks }: Entry, words: PreparedTexts['words']) =>
  tx`array_to_tsvector(${searchWords(blocks, words)}::text[])`;

function insertValues(tx: Tx, entry: Entry) {
  const values = indexedValues(entry);
  return tx`
    insert into entry_values (business_id, entry_id, block_id, n, owner, status, key, created_at)
    select ${entry.businessId}, ${entry.id}, v.block_id, v.n, ${entry.owner}, ${currentStatus(entry.statuses)!}, v.key,
      ${entry.createdAt}
    from unnest(${values.map(({ blockId }) => blockId)}::text[], ${values.map(({ n }) => n)}::smallint[],
      ${values.map(({ key }) => key)}::text[]) as v (block_id, n, key)`;
}

/** The documents of entries of collections, in the order of their ids, from after one on. Null: of every collection. */
export const listEntriesForExport = (
  db: Db,
  businessId: string,
  {
    collectionId,
    after,
    limit,
    withOrders = false,
  }: { collectionId: string | null; after: string; limit: number; withOrders?: boolean },
) => db<{ id: string; doc: string }[]>`
  select id, doc from entries e
  where business_id = ${businessId} and id > ${after}
    ${collectionId !== null ? db`and owner = ${collectionOwner(collectionId)}` : withOrders ? db`` : db`and owner like 'collection:%'`}
    and ${db.text(OWNER_EXISTS)}
  order by id limit ${limit}`;

/** Those of these ids, locked in the order of their ids. */
export const lockEntries = (tx: Tx, businessId: string, ids: string[]) => tx<{ id: string; doc: string }[]>`
  select id, doc from entries where business_id = ${businessId} and id = any(${ids}) order by id for update`;
