import { lockName } from '../../../db/lock-name.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import type { Category } from './schemas.ts';
import type { CategoryNode } from './tree.ts';

/** The stored document. The place in the tree has its own columns. */
export type StoredCategory = Omit<Category, 'parentId' | 'position' | 'ancestors' | 'defaultSlug'>;
export type CategoryRow = { doc: StoredCategory; parentId: string | null; position: number; version: number };

/** Held until the transaction ends. Otherwise, two concurrent moves could create a cycle. */
export const lockTree = (tx: Tx, businessId: string): Promise<void> => lockName(tx, `categories ${businessId}`);

export const listNodes = (db: Db, businessId: string) => db<CategoryNode[]>`
  select id, parent_id, position, slug, doc ->> 'name' as name, (
    select json_object_agg(key, json_build_object('name', value -> 'name', 'slug', value -> 'slug'))
    from jsonb_each(doc -> 'translations')
  ) as translations
  from categories where business_id = ${businessId}`;

export async function findCategory(db: Db, businessId: string, id: string): Promise<CategoryRow | null> {
  const [row] = await db<CategoryRow[]>`
    select doc, parent_id, position, version from categories where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** Locks a category for a change. A deletion waits while products are being added to the category. */
export async function lockCategory(tx: Tx, businessId: string, id: string): Promise<CategoryRow | null> {
  const [row] = await tx<CategoryRow[]>`
    select doc, parent_id, position, version from categories
    where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

export const listCategoryRows = (db: Db, businessId: string, ids: readonly string[]) => db<CategoryRow[]>`
  select doc, parent_id, position, version from categories
  where business_id = ${businessId} and id = any(${ids as string[]})`;

/** The existing categories among `ids`. In a transaction they can't be deleted until it ends. */
export async function existingCategories(db: Db | Tx, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from categories where business_id = ${businessId} and id = any(${ids as string[]})
    ${'savepoint' in db ? db`order by id for key share` : db``}`;
  return rows.map(({ id }) => id);
}

export async function insertCategory(tx: Tx, doc: StoredCategory, parentId: string | null): Promise<void> {
  await tx`
    insert into categories (business_id, id, parent_id, position, slug, doc)
    values (${doc.businessId}, ${doc.id}, ${parentId}, 0, ${doc.slug}, ${tx.json(doc)})`;
}

export async function updateCategory(tx: Tx, doc: StoredCategory, parentId: string | null): Promise<void> {
  await tx`
    update categories set slug = ${doc.slug}, parent_id = ${parentId}, doc = ${tx.json(doc)}, version = version + 1
    where business_id = ${doc.businessId} and id = ${doc.id}`;
}

/** Numbers these categories in the given order. */
export async function savePositions(tx: Tx, businessId: string, ids: readonly string[]): Promise<void> {
  await tx`
    update categories c set position = given.n - 1
    from unnest(${ids as string[]}::text[]) with ordinality as given (id, n)
    where c.business_id = ${businessId} and c.id = given.id and c.position <> given.n - 1`;
}

export async function deleteCategoryRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from categories where business_id = ${businessId} and id = ${id}`;
}

export const listCategoriesForExport = (db: Db, businessId: string) => db<CategoryRow[]>`
  select doc, parent_id, position, version from categories where business_id = ${businessId}`;
