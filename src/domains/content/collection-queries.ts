import type { Db, Tx } from '../../db/connection.ts';
import { currentStatus } from '../../shared/statuses.ts';
import type { Collection } from './schemas.ts';

export type DocumentRow = { doc: string; version: number; status: string };

export async function findCollection(db: Db, businessId: string, id: string): Promise<DocumentRow | null> {
  const [row] = await db<DocumentRow[]>`
    select doc, version, status from collections where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** For a change of the collection. Entries may be written meanwhile; a deletion takes the stronger lock. */
export async function lockCollection(tx: Tx, businessId: string, id: string): Promise<DocumentRow | null> {
  const [row] = await tx<DocumentRow[]>`
    select doc, version, status from collections where business_id = ${businessId} and id = ${id} for no key update`;
  return row ?? null;
}

/** No entry can be added from here on. */
export async function lockCollectionForDelete(
  tx: Tx,
  businessId: string,
  id: string,
): Promise<{ version: number } | null> {
  const [row] = await tx<{ version: number }[]>`
    select version from collections where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** The collection stays until the transaction ends. */
export async function holdCollection(tx: Tx, businessId: string, id: string): Promise<{ version: number } | null> {
  const [row] = await tx<{ version: number }[]>`
    select version from collections where business_id = ${businessId} and id = ${id} for key share`;
  return row ?? null;
}

/** False: the slug is taken. */
export async function insertCollection(tx: Tx, collection: Collection): Promise<boolean> {
  const { count } = await tx`
    insert into collections (business_id, id, slug, type, status, doc, created_at)
    values (${collection.businessId}, ${collection.id}, ${collection.slug}, ${collection.type},
      ${currentStatus(collection.statuses)!}, ${JSON.stringify(collection)}, ${collection.createdAt})
    on conflict on constraint collections_slug do nothing`;
  return count > 0;
}

export async function updateCollection(tx: Tx, collection: Collection): Promise<void> {
  await tx`
    update collections set slug = ${collection.slug}, type = ${collection.type},
      status = ${currentStatus(collection.statuses)!}, doc = ${JSON.stringify(collection)}, version = version + 1
    where business_id = ${collection.businessId} and id = ${collection.id}`;
}

export async function deleteCollectionRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from collections where business_id = ${businessId} and id = ${id}`;
}

export type CollectionList = {
  type?: string | undefined;
  slug?: string | undefined;
  status?: string | undefined;
  after: readonly [createdAt: number, id: string] | null;
  limit: number;
};

/** Newest first. */
export const listCollections = (db: Db, businessId: string, { type, slug, status, after, limit }: CollectionList) => db<
  { id: string; doc: string; createdAt: number }[]
>`
  select id, doc, created_at from collections
  where business_id = ${businessId}
    ${type === undefined ? db`` : db`and type = ${type}`}
    ${slug === undefined ? db`` : db`and slug = ${slug}`}
    ${status === undefined ? db`` : db`and status = ${status}`}
    ${after ? db`and (created_at, id) < (${after[0]}, ${after[1]})` : db``}
  order by created_at desc, id desc limit ${limit}`;

export async function existingCollections(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from collections where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map((row) => row.id);
}
