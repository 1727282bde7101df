import type { Db, Tx } from '../../../db/sql.ts';
import { isId } from '../../../shared/ids.ts';
import { currentStatus } from '../../../shared/records/status-history.ts';
import type { Collection } from './schemas.ts';

type DocumentRow = { doc: Collection; version: number; status: string };

/** Returns an ID unchanged and looks up anything else as a slug. Null if no collection has this slug. */
export async function findCollectionId(db: Db, businessId: string, idOrSlug: string): Promise<string | null> {
  if (isId('col', idOrSlug)) return idOrSlug;
  const [row] = await db<{ id: string }[]>`
    select id from collections where business_id = ${businessId} and slug = ${idOrSlug} and deleted_at is null`;
  return row?.id ?? null;
}

/** For a response: omits the document if its version is known. */
export async function findCollectionState(
  db: Db,
  businessId: string,
  id: string,
  knownVersion: number,
): Promise<(Omit<DocumentRow, 'doc'> & { doc: Collection | null }) | null> {
  const [row] = await db<(Omit<DocumentRow, 'doc'> & { doc: Collection | null })[]>`
    select case when version = ${knownVersion} then null else doc end as doc, version, status from collections
    where business_id = ${businessId} and id = ${id} and deleted_at is null`;
  return row ?? null;
}

export async function findCollection(db: Db, businessId: string, id: string): Promise<DocumentRow | null> {
  const [row] = await db<DocumentRow[]>`
    select doc, version, status from collections
    where business_id = ${businessId} and id = ${id} and deleted_at is null`;
  return row ?? null;
}

/** For a change to the collection. Entries can still be written; deletion takes a stronger lock. */
export async function lockCollection(tx: Tx, businessId: string, id: string): Promise<DocumentRow | null> {
  const [row] = await tx<DocumentRow[]>`
    select doc, version, status from collections
    where business_id = ${businessId} and id = ${id} and deleted_at is null for no key update`;
  return row ?? null;
}

/** Waits for concurrent writes of entries. After that, no entry can be added. */
export async function lockCollectionForDelete(tx: Tx, businessId: string, id: string): Promise<DocumentRow | null> {
  const [row] = await tx<DocumentRow[]>`
    select doc, version, status from collections
    where business_id = ${businessId} and id = ${id} and deleted_at is null for update`;
  return row ?? null;
}

/** For writing an entry: protects the collection from deletion until the transaction ends. Null if it was deleted. */
export async function lockCollectionForEntry(
  tx: Tx,
  businessId: string,
  id: string,
): Promise<{ version: number } | null> {
  const [row] = await tx<{ version: number }[]>`
    select version from collections
    where business_id = ${businessId} and id = ${id} and deleted_at is null for key share`;
  return row ?? null;
}

/** Returns false if the slug is taken. */
export async function insertCollection(tx: Tx, collection: Collection): Promise<boolean> {
  const rows = await tx`
    insert into collections (business_id, id, slug, type, status, doc, created_at)
    values (${collection.businessId}, ${collection.id}, ${collection.slug}, ${collection.type},
      ${currentStatus(collection.statuses)!}, ${tx.json(collection)}, ${collection.createdAt})
    on conflict (business_id, slug) where deleted_at is null do nothing
    returning 1`;
  return rows.length > 0;
}

export async function updateCollection(tx: Tx, collection: Collection): Promise<void> {
  await tx`
    update collections set slug = ${collection.slug}, type = ${collection.type},
      status = ${currentStatus(collection.statuses)!}, doc = ${tx.json(collection)}, version = version + 1
    where business_id = ${collection.businessId} and id = ${collection.id}`;
}

type CollectionList = {
  type?: string | undefined;
  slug?: string | undefined;
  /** Part of the name, case-insensitive. */
  name?: string | undefined;
  ids?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
  createdAtFrom?: number | undefined;
  createdAtTo?: number | undefined;
  after: readonly [createdAt: number, id: string] | null;
  limit: number;
};
export type ListedCollection = { id: string; version: number; createdAt: number; bytes: number };

/** Newest first. */
export const listCollectionRows = (
  db: Db,
  businessId: string,
  { type, slug, name, ids, statuses, createdAtFrom, createdAtTo, after, limit }: CollectionList,
) => db<ListedCollection[]>`
  select id, version, created_at, doc_bytes as bytes from collections
  where business_id = ${businessId} and deleted_at is null
    ${type === undefined ? db`` : db`and type = ${type}`}
    ${slug === undefined ? db`` : db`and slug = ${slug}`}
    ${name === undefined ? db`` : db`and strpos(name_key, lower(${name})) > 0`}
    ${ids === undefined ? db`` : db`and id = any(${ids})`}
    ${statuses === undefined ? db`` : db`and status = any(${statuses})`}
    ${createdAtFrom === undefined ? db`` : db`and created_at >= ${createdAtFrom}`}
    ${createdAtTo === undefined ? db`` : db`and created_at <= ${createdAtTo}`}
    ${after ? db`and (created_at, id) < (${after[0]}, ${after[1]})` : db``}
  order by created_at desc, id desc limit ${limit}`;

/** Documents of the collections with one of these statuses, or with any status if undefined. */
export const listCollectionDocuments = (
  db: Db,
  businessId: string,
  ids: readonly string[],
  statuses: readonly string[] | undefined,
) => db<{ id: string; version: number; doc: Collection }[]>`
  select id, version, doc from collections
  where business_id = ${businessId} and id = any(${ids}) and deleted_at is null
    ${statuses === undefined ? db`` : db`and status = any(${statuses})`}`;

/** `publicOnly` limits the result to publicly visible collections. */
export async function existingCollections(
  db: Db,
  businessId: string,
  ids: readonly string[],
  publicOnly: boolean,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from collections
    where business_id = ${businessId} and id = any(${ids as string[]}) and deleted_at is null
      ${publicOnly ? db`and status = 'PUBLISHED'` : db``}`;
  return rows.map((row) => row.id);
}

/** Hides the collection and its entries and frees the slug. */
export async function markDeleted(tx: Tx, businessId: string, id: string, now: number): Promise<void> {
  await tx`update collections set deleted_at = ${now} where business_id = ${businessId} and id = ${id}`;
}

/** Deleted collections of all businesses, or only the given one. */
export const listDeletedCollections = (db: Db, only: { businessId: string; id: string } | null) => db<
  { businessId: string; id: string }[]
>`
  select business_id, id from collections
  where deleted_at is not null ${only ? db`and business_id = ${only.businessId} and id = ${only.id}` : db``}
  order by deleted_at, id`;

/** Rows that reference the collection are deleted with it. */
export async function deleteCollectionRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from collections where business_id = ${businessId} and id = ${id} and deleted_at is not null`;
}

/** Documents of all collections in ID order, starting after an ID. */
export async function listCollectionDocs(
  db: Db,
  businessId: string,
  after: string,
  limit: number,
): Promise<Collection[]> {
  const rows = await db<{ doc: Collection }[]>`
    select doc from collections where business_id = ${businessId} and id > ${after} and deleted_at is null
    order by id limit ${limit}`;
  return rows.map(({ doc }) => doc);
}
