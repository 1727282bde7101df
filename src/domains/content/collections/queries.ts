import type { Db, Tx } from '../../../db/sql.ts';
import { isId } from '../../../shared/ids.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import type { Collection } from './schemas.ts';

type DocumentRow = { doc: string; version: number; status: string };

/** An id stands for itself, anything else is looked for among the slugs. Null: nothing has this slug. */
export async function findCollectionId(db: Db, businessId: string, idOrSlug: string): Promise<string | null> {
  if (isId('col', idOrSlug)) return idOrSlug;
  const [row] = await db<{ id: string }[]>`
    select id from collections where business_id = ${businessId} and slug = ${idOrSlug} and deleted_at is null`;
  return row?.id ?? null;
}

export async function findCollection(db: Db, businessId: string, id: string): Promise<DocumentRow | null> {
  const [row] = await db<DocumentRow[]>`
    select doc, version, status from collections
    where business_id = ${businessId} and id = ${id} and deleted_at is null`;
  return row ?? null;
}

/** For a change of the collection. Entries may be written meanwhile; a deletion takes the stronger lock. */
export async function lockCollection(tx: Tx, businessId: string, id: string): Promise<DocumentRow | null> {
  const [row] = await tx<DocumentRow[]>`
    select doc, version, status from collections
    where business_id = ${businessId} and id = ${id} and deleted_at is null for no key update`;
  return row ?? null;
}

/** Waits for entries that are being written; none can be added from here on. */
export async function lockCollectionForDelete(tx: Tx, businessId: string, id: string): Promise<DocumentRow | null> {
  const [row] = await tx<DocumentRow[]>`
    select doc, version, status from collections
    where business_id = ${businessId} and id = ${id} and deleted_at is null for update`;
  return row ?? null;
}

/** For a write of one of its entries: it cannot be deleted before the transaction ends. Null: it is gone. */
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

/** False: the slug is taken. */
export async function insertCollection(tx: Tx, collection: Collection): Promise<boolean> {
  const rows = await tx`
    insert into collections (business_id, id, slug, type, status, doc, created_at)
    values (${collection.businessId}, ${collection.id}, ${collection.slug}, ${collection.type},
      ${currentStatus(collection.statuses)!}, ${JSON.stringify(collection)}, ${collection.createdAt})
    on conflict (business_id, slug) where deleted_at is null do nothing
    returning 1`;
  return rows.length > 0;
}

export async function updateCollection(tx: Tx, collection: Collection): Promise<void> {
  await tx`
    update collections set slug = ${collection.slug}, type = ${collection.type},
      status = ${currentStatus(collection.statuses)!}, doc = ${JSON.stringify(collection)}, version = version + 1
    where business_id = ${collection.businessId} and id = ${collection.id}`;
}

type CollectionList = {
  type?: string | undefined;
  slug?: string | undefined;
  /** A part of it, without regard to case. */
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
  select id, version, created_at, octet_length(doc) as bytes from collections
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

/** The documents of those of these collections that are in one of these statuses. Undefined: in any. */
export const listCollectionDocuments = (
  db: Db,
  businessId: string,
  ids: readonly string[],
  statuses: readonly string[] | undefined,
) => db<{ id: string; version: number; doc: string }[]>`
  select id, version, doc from collections
  where business_id = ${businessId} and id = any(${ids}) and deleted_at is null
    ${statuses === undefined ? db`` : db`and status = any(${statuses})`}`;

/** `publicOnly`: those that everybody sees. */
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

/** From now on nobody finds the collection or its entries, and its slug is free. */
export async function markDeleted(tx: Tx, businessId: string, id: string, now: number): Promise<void> {
  await tx`update collections set deleted_at = ${now} where business_id = ${businessId} and id = ${id}`;
}

/** The marked ones of all businesses, or this one if it is marked. */
export const listDeletedCollections = (db: Db, only: { businessId: string; id: string } | null) => db<
  { businessId: string; id: string }[]
>`
  select business_id, id from collections
  where deleted_at is not null ${only ? db`and business_id = ${only.businessId} and id = ${only.id}` : db``}
  order by deleted_at, id`;

/** What was added to it in the last moment and refers to it goes with it. */
export async function deleteCollectionRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from collections where business_id = ${businessId} and id = ${id} and deleted_at is not null`;
}

/** The documents of all collections, in the order of their ids, from after one on. */
export async function listCollectionDocs(
  db: Db,
  businessId: string,
  after: string,
  limit: number,
): Promise<Collection[]> {
  const rows = await db<{ doc: string }[]>`
    select doc from collections where business_id = ${businessId} and id > ${after} and deleted_at is null
    order by id limit ${limit}`;
  return rows.map(({ doc }) => JSON.parse(doc) as Collection);
}
