/** Queries for the sitemap of the storefront. Entries without a slug are not listed. */
import type { Db } from '../../../../db/sql.ts';

type SitemapEntryRow = { id: string; slug: string; collection: string; locale: string; updatedAt: number };

const visible = (db: Db, businessId: string) => db`
  from entries e join collections c on c.business_id = ${businessId} and e.owner = 'collection:' || c.id
  where e.business_id = ${businessId} and e.status = 'PUBLISHED' and e.slug is not null
    and c.status = 'PUBLISHED' and c.deleted_at is null`;

/** The ID after which the next part of a sitemap starts, if a part has `size` entries. Null if no entries follow. */
export async function findSitemapEntryStart(db: Db, businessId: string, after: string, size: number) {
  const [last, next] = await db<{ id: string }[]>`
    select e.id ${visible(db, businessId)} and e.id > ${after} order by e.id offset ${size - 1} limit 2`;
  return next ? last!.id : null;
}

export const listSitemapEntries = (db: Db, businessId: string, after: string, limit: number) => db<SitemapEntryRow[]>`
  select e.id, e.slug, c.slug as collection, e.doc->>'locale' as locale, (e.doc->>'updatedAt')::bigint as updated_at
  ${visible(db, businessId)} and e.id > ${after} order by e.id limit ${limit}`;
