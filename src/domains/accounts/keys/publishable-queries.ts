import type { Db, Tx } from '../../../db/sql.ts';
import type { PublishableKey } from './publishable-schemas.ts';

export type PublishableKeyRow = PublishableKey & { version: number };

const columns = (db: Db) => db`business_id, id, name, value, origins, version, created_at, updated_at`;

export async function insertPublishableKey(tx: Tx, key: PublishableKeyRow): Promise<void> {
  await tx`insert into publishable_keys ${tx(key)}`;
}

export async function countPublishableKeys(db: Db, businessId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from publishable_keys where business_id = ${businessId}`;
  return row!.count;
}

/** Newest first. */
export const listPublishableKeyRows = (db: Db, businessId: string, after: string | null, limit: number) => db<
  PublishableKeyRow[]
>`
  select ${columns(db)} from publishable_keys
  where business_id = ${businessId} and (${after}::text is null or id < ${after}) order by id desc limit ${limit}`;

export async function findPublishableKey(
  db: Db,
  businessId: string,
  by: { id: string } | { value: string },
): Promise<PublishableKeyRow | null> {
  const condition = 'id' in by ? db`id = ${by.id}` : db`value = ${by.value}`;
  const [row] = await db<PublishableKeyRow[]>`
    select ${columns(db)} from publishable_keys where business_id = ${businessId} and ${condition}`;
  return row ?? null;
}

export async function lockPublishableKey(tx: Tx, businessId: string, id: string): Promise<PublishableKeyRow | null> {
  const [row] = await tx<PublishableKeyRow[]>`
    select ${columns(tx)} from publishable_keys where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

export async function updatePublishableKey(tx: Tx, key: PublishableKeyRow): Promise<void> {
  await tx`update publishable_keys set name = ${key.name}, origins = ${key.origins}, version = ${key.version},
      updated_at = ${key.updatedAt}
    where business_id = ${key.businessId} and id = ${key.id}`;
}

export async function deletePublishableKeyRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from publishable_keys where business_id = ${businessId} and id = ${id}`;
}

/** Across all businesses. */
export const listPageOrigins = (db: Db) =>
  db<{ businessId: string; origins: string[] }[]>`select business_id, origins from publishable_keys`;
