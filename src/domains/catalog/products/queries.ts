import type { Db, Tx } from '../../../db/sql.ts';
import { isId } from '../../../shared/ids.ts';
import type { Media } from '../../../shared/schemas.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { foldText } from '../../../shared/text/text.ts';
import { deleteVersions, type NewVersion, withVersion } from '../../publishing/index.ts';
import { findTranslated } from '../translations/queries.ts';
import { lowestPrices, statusOf } from './compose.ts';
import type { Product, ProductSummary } from './schemas.ts';
import { type SoldAs, soldAs } from './sold-as.ts';
import { type Quantities, type StoredProduct, storedProduct, withQuantities } from './stored-product.ts';

/**
 * For statements on `products p`: product version and stock version, such as `3.17`, which together identify the current
 * response. Every quantity change increments the stock version. Dropping a variant lowers it, but also creates a new product
 * version. `business` is the placeholder of the business ID: Citus routes by a value in the statement, not by a column of another row.
 */
export const versionOf = (business: string) => `
  p.version || '.' || (select coalesce(sum(s.changes), 0) from stock s
    where s.business_id = ${business} and s.product_id = p.id)`;

/** The columns a list reads per product, enough to find the response in the cache. */
export type ListedRow = { id: string; version: string; bytes: number };

/** The cached versions of a product. */
export type KnownVersion = { version: number; stockVersion: number };
const UNKNOWN: KnownVersion = { version: 0, stockVersion: -1 };

/** Omits the document if its version is known, and also the quantities if the stock version is known. */
export type ProductState = KnownVersion & { status: string; doc: StoredProduct | null; quantities: Quantities | null };

const QUANTITIES = `coalesce(json_object_agg(variant_id, quantity), '{}')`;

/** A function, because Citus replans a statement with several tables each time. */
const FIND_STATE = 'select version, stock_version, status, doc, quantities from product_state($1, $2, $3, $4)';

export async function findProductState(
  db: Db,
  businessId: string,
  id: string,
  { version, stockVersion }: KnownVersion = UNKNOWN,
): Promise<ProductState | null> {
  const [row] = await db.text<ProductState[]>(FIND_STATE, [businessId, id, version, stockVersion]);
  return row ?? null;
}

/** Like `findProductState`, for products with one of these statuses, or with any status if null. Always includes quantities. */
export const listProductStates = (
  db: Db,
  businessId: string,
  known: readonly { id: string; version: number }[],
  statuses: readonly string[] | null,
) =>
  db.text<(ProductState & { id: string; quantities: Quantities })[]>(LIST_STATES, [
    businessId,
    known.map(({ id }) => id),
    known.map(({ version }) => version),
    statuses,
  ]);

const LIST_STATES = `
  select p.id, p.version, s.version as stock_version, p.status, s.quantities,
    case when p.version = known.version then null else p.doc end as doc
  from unnest($2::text[], $3::int[]) as known (id, version)
  join products p on p.business_id = $1 and p.id = known.id
  cross join lateral (
    select coalesce(sum(changes), 0)::bigint as version, ${QUANTITIES} as quantities from stock
    where business_id = $1 and product_id = p.id
  ) s
  where $4::text[] is null or p.status = any($4)`;

/** `stockVersion` is the sum of the stock rows' counters. */
type ProductRow = KnownVersion & { status: string };
export type FoundProduct = { row: ProductRow; product: Product };

export async function findProduct(db: Db, businessId: string, id: string): Promise<FoundProduct | null> {
  const row = await findProductState(db, businessId, id);
  return row && { row, product: withQuantities(row.doc!, row.quantities!) };
}

/** Locks the product against other changes, then its stock against sales. */
export async function lockProduct(tx: Tx, businessId: string, id: string): Promise<FoundProduct | null> {
  const [row] = await tx<{ doc: StoredProduct; version: number; status: string }[]>`
    select doc, version, status from products where business_id = ${businessId} and id = ${id} for update`;
  if (!row) return null;
  const stock = await tx<{ variantId: string; quantity: number; changes: number }[]>`
    select variant_id, quantity, changes from stock where business_id = ${businessId} and product_id = ${id}
    order by variant_id for update`;
  const { doc, ...rest } = row;
  const quantities = Object.fromEntries(stock.map(({ variantId, quantity }) => [variantId, quantity]));
  const stockVersion = stock.reduce((sum, { changes }) => sum + changes, 0);
  return { row: { ...rest, stockVersion }, product: withQuantities(doc, quantities) };
}

/**
 * Returns an ID unchanged and looks up anything else as a slug, in any language. With `locale`, slugs of translations come first.
 * Null if no product has this slug.
 */
export async function findProductId(
  db: Db,
  businessId: string,
  idOrSlug: string,
  locale?: string,
): Promise<string | null> {
  if (isId('prod', idOrSlug)) return idOrSlug;
  const byDefault = async () => {
    const [row] = await db<{ id: string }[]>`
      select id from products where business_id = ${businessId} and slug = ${idOrSlug}`;
    return row?.id ?? null;
  };
  const byTranslation = () => findTranslated(db, businessId, 'product', idOrSlug, locale);
  return locale === undefined
    ? ((await byDefault()) ?? (await byTranslation()))
    : ((await byTranslation()) ?? (await byDefault()));
}

/** The subset of these slugs and SKUs used by other products of the business. */
export async function listTaken(
  db: Db,
  businessId: string,
  productId: string,
  slugs: string[],
  skus: string[],
): Promise<{ slugs: Set<string>; skus: Set<string> }> {
  const rows = await db<{ kind: 'slug' | 'sku'; value: string }[]>`
    select 'slug' as kind, slug as value from products
    where business_id = ${businessId} and slug = any(${slugs}) and id <> ${productId}
    union all
    select 'sku', sku from stock where business_id = ${businessId} and sku = any(${skus}) and product_id <> ${productId}`;
  const valuesOf = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.value));
  return { slugs: valuesOf('slug'), skus: valuesOf('sku') };
}

export async function insertProduct(tx: Tx, product: Product): Promise<void> {
  await tx`
    insert into products (business_id, id, slug, status, category, name_key, doc, created_at)
    values (${product.businessId}, ${product.id}, ${product.slug}, ${statusOf(product)}, ${product.category},
      ${foldText(product.name)}, ${tx.json(storedProduct(product))}, ${product.createdAt})`;
}

/** Returns the new version. A null `version` means the content is unchanged. */
export async function updateProduct(tx: Tx, product: Product, version: NewVersion | null): Promise<number> {
  const update = tx<{ version: number }[]>`
    update products set slug = ${product.slug}, status = ${statusOf(product)}, category = ${product.category},
      name_key = ${foldText(product.name)}, doc = ${tx.json(storedProduct(product))}, version = version + 1
    where business_id = ${product.businessId} and id = ${product.id}
    returning version`;
  const [row] = await withVersion(tx, version, update);
  return row!.version;
}

/** Readers don't see the draft: search and filters still use the published content. */
export async function updateDraft(tx: Tx, product: Product, version: NewVersion | null): Promise<void> {
  const update = tx`
    update products set doc = ${tx.json(storedProduct(product))}, version = version + 1
    where business_id = ${product.businessId} and id = ${product.id}`;
  await withVersion(tx, version, update);
}

export async function deleteProduct(tx: Tx, businessId: string, id: string): Promise<void> {
  await deleteVersions(tx, businessId, [`product:${id}`]);
  await tx`delete from products where business_id = ${businessId} and id = ${id}`;
}

export async function savePrices(tx: Tx, product: Product): Promise<void> {
  await Promise.all([saveLowestPrices(tx, product), saveSoldAs(tx, product)]);
}

/** Stores names and prices in each variant's stock row, which must already exist. */
const saveSoldAs = (tx: Tx, product: Product) => tx`
  update stock s set sold_as = v.sold_as from ${soldAsRows(tx, product)}
  where s.business_id = ${product.businessId} and s.product_id = ${product.id} and s.variant_id = v.variant_id
    and s.sold_as is distinct from v.sold_as`;

const soldAsRows = (tx: Tx, product: Product) => tx`
  unnest(${product.variants.map(({ id }) => id)}::text[],
    ${product.variants.map((variant) => jsonText(soldAs(product, variant)))}::jsonb[]) as v (variant_id, sold_as)`;

async function saveLowestPrices(tx: Tx, product: Product): Promise<void> {
  const lowest = lowestPrices(product);
  const markets = [...lowest.keys()];
  await tx`
    with dropped as (
      delete from product_prices where business_id = ${product.businessId} and product_id = ${product.id}
        and not market = any(${markets})
    )
    insert into product_prices (business_id, product_id, market, price, status, category)
    select ${product.businessId}, ${product.id}, market, price, ${statusOf(product)}, ${product.category}
    from unnest(${markets}::text[], ${[...lowest.values()]}::bigint[]) as lowest (market, price)
    on conflict (business_id, product_id, market) do update
      set price = excluded.price, status = excluded.status, category = excluded.category`;
}

type SellableRow = {
  productId: string;
  variantId: string;
  status: string;
  /** Null if the product has no such variant. */
  soldAs: SoldAs | null;
  tracked: boolean;
  quantity: number;
  lowStockThreshold: number | null;
};

export const listSellableRows = (
  db: Db,
  businessId: string,
  refs: readonly { productId: string; variantId: string }[],
) => db<SellableRow[]>`
  select s.product_id, s.variant_id, p.status, s.sold_as, s.tracked, s.quantity, s.low_stock_threshold
  from (
    select distinct product_id, variant_id
    from unnest(${refs.map((ref) => ref.productId)}::text[], ${refs.map((ref) => ref.variantId)}::text[])
      as ref (product_id, variant_id)
  ) ref
  join stock s on s.business_id = ${businessId} and s.product_id = ref.product_id and s.variant_id = ref.variant_id
  join products p on p.business_id = ${businessId} and p.id = s.product_id`;

export const listSummaryRows = (db: Db, businessId: string, ids: readonly string[], publicOnly: boolean) => db<
  (Omit<ProductSummary, 'image'> & { image: Media | null })[]
>`
  select id, slug, category, doc ->> 'name' as name, doc #> '{gallery,0}' as image from products
  where business_id = ${businessId} and id = any(${ids as string[]}) ${publicOnly ? db`and status = 'ACTIVE'` : db``}`;

/** The subset of `ids` that are products of the business. `publicOnly` limits it to products everyone can see. */
export async function existingProducts(
  db: Db,
  businessId: string,
  ids: readonly string[],
  publicOnly = false,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from products where business_id = ${businessId} and id = any(${ids as string[]})
      ${publicOnly ? db`and status = 'ACTIVE'` : db``}`;
  return rows.map((row) => row.id);
}
