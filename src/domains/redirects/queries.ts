import { lockName } from '../../db/lock-name.ts';
import type { Db, Tx } from '../../db/sql.ts';
import { MAX_TOTAL } from '../../shared/paging.ts';
import { escapeLike } from '../../shared/text/text.ts';

export type RedirectRow = {
  id: string;
  fromPath: string;
  toPath: string;
  isAutomatic: boolean;
  createdAt: number;
};

/** Held until the transaction ends. Otherwise, two concurrent changes could create a loop. */
export const lockRedirects = (tx: Tx, businessId: string): Promise<void> => lockName(tx, `redirects ${businessId}`);

export async function findRedirectFrom(db: Db, businessId: string, path: string): Promise<RedirectRow | null> {
  const [row] = await db<RedirectRow[]>`
    select id, from_path, to_path, is_automatic, created_at from redirects
    where business_id = ${businessId} and from_path = ${path}`;
  return row ?? null;
}

export async function insertRedirect(tx: Tx, businessId: string, row: RedirectRow): Promise<void> {
  await tx`
    insert into redirects (business_id, id, from_path, to_path, is_automatic, created_at)
    values (${businessId}, ${row.id}, ${row.fromPath}, ${row.toPath}, ${row.isAutomatic}, ${row.createdAt})`;
}

/** Updates redirects whose target is now an old path to point to its new path. */
export async function retarget(tx: Tx, businessId: string, from: string, to: string): Promise<void> {
  await tx`
    update redirects set to_path = ${to}
    where business_id = ${businessId} and to_path = ${from} and from_path <> ${to}`;
}

export const deleteRedirectsFrom = (tx: Tx, businessId: string, paths: readonly string[]) => tx<RedirectRow[]>`
  delete from redirects where business_id = ${businessId} and from_path = any(${paths as string[]})
  returning id, from_path, to_path, is_automatic, created_at`;

export async function deleteRedirectRow(tx: Tx, businessId: string, id: string): Promise<RedirectRow | null> {
  const [row] = await tx<RedirectRow[]>`
    delete from redirects where business_id = ${businessId} and id = ${id}
    returning id, from_path, to_path, is_automatic, created_at`;
  return row ?? null;
}

const matches = (db: Db, query: string | undefined) => {
  if (query === undefined) return db``;
  const pattern = `%${escapeLike(query)}%`;
  return db`and (from_path ilike ${pattern} or to_path ilike ${pattern})`;
};

/** Newest first. */
export const listRedirectRows = (
  db: Db,
  businessId: string,
  { query, after, limit }: { query?: string | undefined; after: string | null; limit: number },
) => db<RedirectRow[]>`
  select id, from_path, to_path, is_automatic, created_at from redirects
  where business_id = ${businessId} ${after === null ? db`` : db`and id < ${after}`} ${matches(db, query)}
  order by id desc limit ${limit}`;

export async function countRedirects(db: Db, businessId: string, query: string | undefined): Promise<number> {
  const [row] = await db<{ total: number }[]>`
    select count(*)::int as total from (
      select from redirects where business_id = ${businessId} ${matches(db, query)} limit ${MAX_TOTAL}) counted`;
  return row!.total;
}

/** In ID order, starting after an ID. */
export const listRedirectsForExport = (db: Db, businessId: string, after: string, limit: number) => db<RedirectRow[]>`
  select id, from_path, to_path, is_automatic, created_at from redirects
  where business_id = ${businessId} and id > ${after} order by id limit ${limit}`;
