/** Queries for the sitemap of the storefront. Entries without a slug are not listed. */
import type { Db } from '../../../../db/sql.ts';

type SitemapEntryRow = { id: string; slug: string; collection: string; locale: string; updatedAt: number };

const visible = (db: Db, businessId: string) => db`
  from entries e join collections c on c.business_id = ${businessId} and e.owner = 'collection:' || c.id
  where e.business_id = ${businessId} and e.status = 'PUBLISHED' and e.slug is not null
    and c.status = 'PUBLISHED' and c.deleted_at is null`;

/** The IDs after which each further part of a sitemap starts, if a part has `size` entries. */
export async function listSitemapEntryStarts(db: Db, businessId: string, size: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from (
      select e.id, row_number() over (order by e.id) as place, count(*) over () as total ${visible(db, businessId)}
    ) numbered where place % ${size} = 0 and place < total order by id`;
  return rows.map(({ id }) => id);
}

export const listSitemapEntries = (db: Db, businessId: string, after: string, limit: number) => db<SitemapEntryRow[]>`
  select e.id, e.slug, c.slug as collection, e.doc->>'locale' as locale, (e.doc->>'updatedAt')::bigint as updated_at
  ${visible(db, businessId)} and e.id > ${after} order by e.id limit ${limit}`;
