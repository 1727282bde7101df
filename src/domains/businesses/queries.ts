import type { Db, Tx } from '../../db/sql.ts';
import { PAGE_BYTES } from '../../shared/paging.ts';
import type { StoredConfigs } from './schemas.ts';

export type BusinessRow = {
  id: string;
  name: string;
  slug: string;
  configs: StoredConfigs;
  version: number;
  createdAt: number;
  updatedAt: number;
};

const businessColumns = (db: Db) => db`id, name, slug, configs, version, created_at, updated_at`;

export async function findBusiness(db: Db, id: string): Promise<BusinessRow | null> {
  const [row] = await db<BusinessRow[]>`
    select ${businessColumns(db)} from businesses where id = ${id} and deleted_at is null`;
  return row ?? null;
}

/** Lists businesses by ID, including those being deleted. */
export async function listBusinessIds(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select id from businesses where id > ${after} order by id limit ${limit}`;
  return rows.map((row) => row.id);
}

export async function findBusinessBySlug(db: Db, slug: string): Promise<BusinessRow | null> {
  const [row] = await db<BusinessRow[]>`
    select ${businessColumns(db)} from businesses where slug = ${slug} and deleted_at is null`;
  return row ?? null;
}

/** Serializes changes to the business, its roles and its members, including its deletion. */
export async function lockBusiness(tx: Tx, id: string): Promise<BusinessRow | null> {
  const [row] = await tx<BusinessRow[]>`
    select ${businessColumns(tx)} from businesses where id = ${id} and deleted_at is null for no key update`;
  return row ?? null;
}

type ListedBusinessRow = BusinessRow & { bytes: number };

/** Lists the businesses among `ids` where the user has acted as a member, newest first, until the page is full. */
export const listBusinessRows = (
  db: Db,
  { ids, userId }: { ids: string[]; userId: string },
  after: string | null,
  limit: number,
) => db<ListedBusinessRow[]>`
  select ${businessColumns(db)}, bytes from (
    select *, sum(bytes) over (order by id desc) - bytes as bytes_before from (
      select ${businessColumns(db)}, octet_length(configs::text) as bytes from businesses
      where id = any(${ids}) and deleted_at is null
        and exists (select from members m where m.business_id = businesses.id and m.user_id = ${userId} and m.used_at is not null)
        and (${after}::text is null or id < ${after})
      order by id desc limit ${limit}
    ) page
  ) measured
  where bytes_before <= ${PAGE_BYTES} order by id desc`;

/** Returns the slugs that are already used. */
export async function listTakenSlugs(db: Db, slugs: string[]): Promise<Set<string>> {
  const rows = await db<{ slug: string }[]>`
    select slug from businesses where slug = any(${slugs}) and deleted_at is null`;
  return new Set(rows.map((row) => row.slug));
}

export async function insertBusiness(tx: Tx, row: BusinessRow): Promise<void> {
  await tx`insert into businesses ${tx({ ...row, configs: tx.json(row.configs as never) } as never)}`;
}

export async function updateBusiness(tx: Tx, { id, name, slug, configs, version, updatedAt }: BusinessRow) {
  await tx`update businesses set name = ${name}, slug = ${slug}, configs = ${tx.json(configs as never)},
    version = ${version}, updated_at = ${updatedAt} where id = ${id}`;
}
