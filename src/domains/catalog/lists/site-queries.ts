/** Queries that only the storefront needs. */
import type { Db, Tx } from '../../../db/sql.ts';

/** `slugs`: the slugs in other languages, by locale. */
export type SitemapRow = { id: string; slug: string; slugs: Record<string, string> | null; updatedAt: number };

/** The ID after which the next part of a sitemap starts, if a part has `size` products. Null if no products follow. */
export async function findSitemapStart(db: Db, businessId: string, after: string, size: number) {
  const [last, next] = await db<{ id: string }[]>`
    select id from products where business_id = ${businessId} and status = 'ACTIVE' and id > ${after}
    order by id offset ${size - 1} limit 2`;
  return next ? last!.id : null;
}

export const listSitemapProducts = (db: Db, businessId: string, after: string, limit: number) => db<SitemapRow[]>`
  select id, slug, (doc->>'updatedAt')::bigint as updated_at, ${slugsOf(db, businessId, 'product')} as slugs from products r
  where business_id = ${businessId} and status = 'ACTIVE' and id > ${after} order by id limit ${limit}`;

/** A business has at most 1,000 categories. */
export const listSitemapCategories = (db: Db, businessId: string) => db<SitemapRow[]>`
  select id, slug, (doc->>'updatedAt')::bigint as updated_at, ${slugsOf(db, businessId, 'category')} as slugs
  from categories r where business_id = ${businessId} order by id`;

const slugsOf = (db: Db, businessId: string, kind: 'product' | 'category') => db`(
  select json_object_agg(t.locale, t.slug) from translated_slugs t
  where t.business_id = ${businessId} and t.kind = ${kind} and t.record_id = r.id
)`;

/** Whether the product with this slug is gone permanently: archived, or deleted and not replaced. */
export async function isWithdrawn(db: Db, businessId: string, slug: string): Promise<boolean> {
  const [row] = await db<{ status: string }[]>`
    select status from (
      select status from products where business_id = ${businessId} and slug = ${slug}
      union all
      select 'GONE' from gone_products where business_id = ${businessId} and slug = ${slug}
    ) known order by status = 'GONE' limit 1`;
  return row?.status === 'ARCHIVED' || row?.status === 'GONE';
}

/** Stores the URLs of a deleted product. */
export const insertGone = (tx: Tx, businessId: string, slugs: readonly string[]) => tx`
  insert into gone_products (business_id, slug)
  select ${businessId}, slug from unnest(${slugs as string[]}::text[]) as given (slug) order by slug
  on conflict do nothing`;
