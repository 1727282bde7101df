import type { Db, Tx } from '../../db/sql.ts';
import { isId } from '../../shared/ids.ts';
import { foldText } from '../../shared/text.ts';
import { deleteVersions, type NewVersion, withVersion } from '../publishing/index.ts';
import { lowestPrices, soldAs, statusOf } from './compose.ts';
import { renderDocument } from './document.ts';
import type { Product } from './schemas.ts';

/**
 * For statements on `products p`: the quantities of its variants as `{3,0,17}`, in the order of the variants' ids. `business` is
 * the value that names the business: a cluster looks for the node of these rows in the statement, not in another row.
 */
const quantitiesOf = (business: string) => `
  array(select quantity from stock s where s.business_id = ${business} and s.product_id = p.id order by variant_id)::text`;

/**
 * The same for its version and that of its stock, `3.17`: names the answer that the product has now. Each change of a quantity
 * adds to the stock's, and dropping a variant, which takes from it, comes with a new version of the product.
 */
export const versionOf = (business: string) => `
  p.version || '.' || (select coalesce(sum(s.changes), 0) from stock s
    where s.business_id = ${business} and s.product_id = p.id)`;

/** What a list reads of a product: enough to take the rest from memory. */
export type ListedRow = { id: string; version: string; bytes: number };

/** The hottest read of all: its text is put together once. */
const FIND_PRODUCT = `
  select p.version || s.changes as version, p.status, s.quantities,
    case when p.version || s.changes = $3 then null else p.doc end as doc
  from products p cross join (
    select '.' || coalesce(sum(changes), 0) as changes, array_agg(quantity order by variant_id)::text as quantities
    from stock where business_id = $1 and product_id = $2
  ) s
  where p.business_id = $1 and p.id = $2`;

/** `quantities` null: it has no variants. */
type FoundProduct = { version: string; status: string; quantities: string | null; doc: string | null };

/** Without the document when its version is the known one. */
export async function findProduct(
  db: Db,
  businessId: string,
  id: string,
  knownVersion: string | number = '',
): Promise<FoundProduct | null> {
  const [row] = await db.text<FoundProduct[]>(FIND_PRODUCT, [businessId, id, knownVersion]);
  return row ?? null;
}

/** An id stands for itself, anything else is looked for among the slugs. Null: nothing has this slug. */
export async function findProductId(db: Db, businessId: string, idOrSlug: string): Promise<string | null> {
  if (isId('prod', idOrSlug)) return idOrSlug;
  const [row] = await db<{ id: string }[]>`
    select id from products where business_id = ${businessId} and slug = ${idOrSlug}`;
  return row?.id ?? null;
}

/** Those of these products that are in one of these statuses (null: in any), with what belongs to the same moment. */
export const listDocuments = (db: Db, businessId: string, ids: readonly string[], statuses: readonly string[] | null) =>
  db.text<{ id: string; version: string; quantities: string; doc: string }[]>(LIST_DOCUMENTS, [
    businessId,
    ids,
    statuses,
  ]);

const LIST_DOCUMENTS = `
  select p.id, ${versionOf('$1')} as version, ${quantitiesOf('$1')} as quantities, p.doc from products p
  where p.business_id = $1 and p.id = any($2) and ($3::text[] is null or p.status = any($3))`;

/** `stockVersion`: the sum of the counters of its stock. */
export type ProductRow = { doc: string; version: number; status: string; quantities: string; stockVersion: number };

/** Locks the product against other changes of it, then its stock against sales. */
export async function lockProduct(tx: Tx, businessId: string, id: string): Promise<ProductRow | null> {
  const [row] = await tx<Pick<ProductRow, 'doc' | 'version' | 'status'>[]>`
    select doc, version, status from products where business_id = ${businessId} and id = ${id} for update`;
  if (!row) return null;
  const stock = await tx<{ quantity: number; changes: number }[]>`
    select quantity, changes from stock where business_id = ${businessId} and product_id = ${id}
    order by variant_id for update`;
  return {
    ...row,
    quantities: `{${stock.map(({ quantity }) => quantity).join(',')}}`,
    stockVersion: stock.reduce((sum, { changes }) => sum + changes, 0),
  };
}

/** Which of these slugs and SKUs other products of the business have. */
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
      ${foldText(product.name)}, ${renderDocument(product)}, ${product.createdAt})`;
}

/** Returns the new version. `version` null: its content is as it was. */
export async function updateProduct(tx: Tx, product: Product, version: NewVersion | null): Promise<number> {
  const update = tx<{ version: number }[]>`
    update products set slug = ${product.slug}, status = ${statusOf(product)}, category = ${product.category},
      name_key = ${foldText(product.name)}, doc = ${renderDocument(product)}, version = version + 1
    where business_id = ${product.businessId} and id = ${product.id}
    returning version`;
  const [row] = await withVersion(tx, version, update);
  return row!.version;
}

/** A draft beside the product, of which readers see nothing: what the product is found by stays. */
export async function updateDraft(tx: Tx, product: Product, version: NewVersion | null): Promise<void> {
  const update = tx`
    update products set doc = ${renderDocument(product)}, version = version + 1
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

/** What its variants are sold under, beside their stock, which must be there. */
const saveSoldAs = (tx: Tx, product: Product) => tx`
  update stock s set sold_as = v.sold_as from ${soldAsRows(tx, product)}
  where s.business_id = ${product.businessId} and s.product_id = ${product.id} and s.variant_id = v.variant_id
    and s.sold_as is distinct from v.sold_as`;

/** The same where it is missing, and JSON's null for stock that is of no variant. A save that came between has written its own. */
export const completeProduct = (tx: Tx, product: Product) => tx`
  update stock s set sold_as = coalesce((select v.sold_as from ${soldAsRows(tx, product)} where v.variant_id = s.variant_id), 'null')
  where s.business_id = ${product.businessId} and s.product_id = ${product.id} and s.sold_as is null`;

const soldAsRows = (tx: Tx, product: Product) => tx`
  unnest(${product.variants.map(({ id }) => id)}::text[],
    ${product.variants.map((variant) => JSON.stringify(soldAs(product, variant)))}::text[]) as v (variant_id, sold_as)`;

/** Products, of all businesses, with variants of which that is not stored yet. */
export const listNotSoldAs = (db: Db, limit: number) => db<{ businessId: string; productId: string }[]>`
  select distinct business_id, product_id from stock where sold_as is null limit ${limit}`;

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

export type SellableRow = {
  productId: string;
  variantId: string;
  status: string;
  soldAs: string | null;
  /** Only where `soldAs` is not stored yet. */
  doc: string | null;
  tracked: boolean;
  quantity: number;
  lowStockThreshold: number | null;
};

export const listSellableRows = (
  db: Db,
  businessId: string,
  refs: readonly { productId: string; variantId: string }[],
) => db<SellableRow[]>`
  select s.product_id, s.variant_id, p.status, s.sold_as, case when s.sold_as is null then p.doc end as doc, s.tracked, s.quantity,
    s.low_stock_threshold
  from (
    select distinct product_id, variant_id
    from unnest(${refs.map((ref) => ref.productId)}::text[], ${refs.map((ref) => ref.variantId)}::text[])
      as ref (product_id, variant_id)
  ) ref
  join stock s on s.business_id = ${businessId} and s.product_id = ref.product_id and s.variant_id = ref.variant_id
  join products p on p.business_id = ${businessId} and p.id = s.product_id`;

/** Those of `ids` that are products of the business. `publicOnly`: those that everybody sees. */
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
