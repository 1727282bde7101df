import type { Db, Tx } from '../../../db/sql.ts';
import { slugsOf } from './translate.ts';

type SlugKind = 'product' | 'category';
type Translated = { locale: string; slug: string };

/** The record with this slug in this language, or else in any. Null if there is none. */
export async function findTranslated(
  db: Db,
  businessId: string,
  kind: SlugKind,
  slug: string,
  locale = '',
): Promise<string | null> {
  const [row] = await db<{ recordId: string }[]>`
    select record_id from translated_slugs where business_id = ${businessId} and kind = ${kind} and slug = ${slug}
    order by lower(locale) = lower(${locale}) desc, locale limit 1`;
  return row?.recordId ?? null;
}

/** The subset of these translated slugs that other records use, in that language or as their default slug. */
export const listTakenTranslations = (
  db: Db,
  businessId: string,
  { kind, recordId, slugs }: { kind: SlugKind; recordId: string; slugs: readonly Translated[] },
) => db<Translated[]>`
  select given.locale, given.slug
  from unnest(${slugs.map(({ locale }) => locale)}::text[], ${slugs.map(({ slug }) => slug)}::text[]) as given (locale, slug)
  where exists (
    select from translated_slugs t where t.business_id = ${businessId} and t.kind = ${kind} and t.slug = given.slug
      and t.locale = given.locale and t.record_id <> ${recordId}
  ) or exists (
    select from ${db.text(kind === 'product' ? 'products' : 'categories')} r
    where r.business_id = ${businessId} and r.slug = given.slug and r.id <> ${recordId}
  )`;

/** Replaces the translated slugs of a record. */
export async function saveTranslatedSlugs(
  tx: Tx,
  businessId: string,
  kind: SlugKind,
  recordId: string,
  slugs: readonly Translated[],
): Promise<void> {
  await tx`delete from translated_slugs where business_id = ${businessId} and kind = ${kind} and record_id = ${recordId}`;
  if (slugs.length === 0) return;
  await tx`
    insert into translated_slugs (business_id, kind, slug, locale, record_id)
    select ${businessId}, ${kind}, slug, locale, ${recordId}
    from unnest(${slugs.map(({ slug }) => slug)}::text[], ${slugs.map(({ locale }) => locale)}::text[]) as t (slug, locale)
    order by slug, locale`;
}

type Product = { id: string; translations?: Record<string, { slug?: string }> };

/** The same for products. */
export async function saveTranslations(tx: Tx, businessId: string, products: readonly Product[]): Promise<void> {
  for (const product of products) await saveTranslatedSlugs(tx, businessId, 'product', product.id, slugsOf(product));
}
