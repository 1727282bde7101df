/** What the storefront needs besides the API. */
import type { Db } from '../../../db/sql.ts';

export type SitemapRow = { id: string; slug: string; updatedAt: number };

/** The IDs after which each further part of a sitemap starts, if a part has `size` products. */
export async function listSitemapStarts(db: Db, businessId: string, size: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from (
      select id, row_number() over (order by id) as place, count(*) over () as total from products
      where business_id = ${businessId} and status = 'ACTIVE'
    ) numbered where place % ${size} = 0 and place < total order by id`;
  return rows.map(({ id }) => id);
}

export const listSitemapProducts = (db: Db, businessId: string, after: string, limit: number) => db<SitemapRow[]>`
  select id, slug, (doc->>'updatedAt')::bigint as updated_at from products
  where business_id = ${businessId} and status = 'ACTIVE' and id > ${after} order by id limit ${limit}`;

/** Whether the product with this slug or ID was withdrawn for good. */
export async function isArchived(db: Db, businessId: string, slug: string): Promise<boolean> {
  const rows = await db`
    select id from products where business_id = ${businessId} and slug = ${slug} and status = 'ARCHIVED'`;
  return rows.length > 0;
}
