/** Bulk statements for imports. */

import type { Tx } from '../../../db/sql.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { foldText } from '../../../shared/text/text.ts';
import type { Command } from '../context.ts';
import { saveFacets } from '../facets/queries.ts';
import { insertNewPrices } from '../prices/price-history.ts';
import type { PriceRow } from '../prices/price-queries.ts';
import { lowestPrices, statusOf } from '../products/compose.ts';
import type { Product } from '../products/schemas.ts';
import { showProduct } from '../products/show-product.ts';
import { soldAs } from '../products/sold-as.ts';
import { type StoredProduct, storedProduct, withQuantities } from '../products/stored-product.ts';
import { BUCKET_SIZE, searchTexts } from '../search/queries.ts';
import { saveVocabulary } from '../search/word-queries.ts';
import { wordsOf } from '../search/words.ts';
import { lockSkus, newSkus } from '../stock/queries.ts';
import { saveTranslations } from '../translations/queries.ts';

/** Products that already use these IDs, slugs and SKUs. */
export type Matches = { ids: Set<string>; slugs: Map<string, string>; skus: Map<string, string> };

export async function findMatches(
  tx: Tx,
  businessId: string,
  { ids, slugs, skus }: { ids: string[]; slugs: string[]; skus: string[] },
): Promise<Matches> {
  // Look up keys one by one: a plan cached while the business was small would scan all its rows for `= any(…)`.
  const rows = await tx<{ kind: string; key: string; id: string }[]>`
    select 'id' as kind, k.key, p.id from unnest(${ids}::text[]) as k (key) cross join lateral (
      select id from products where business_id = ${businessId} and id = k.key offset 0) p
    union all
    select 'slug', k.key, p.id from unnest(${slugs}::text[]) as k (key) cross join lateral (
      select id from products where business_id = ${businessId} and slug = k.key offset 0) p
    union all
    select 'sku', k.key, s.product_id from unnest(${skus}::text[]) as k (key) cross join lateral (
      select product_id from stock where business_id = ${businessId} and sku = k.key offset 0) s`;
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ key, id }) => [key, id] as const);
  return { ids: new Set(of('id').map(([key]) => key)), slugs: new Map(of('slug')), skus: new Map(of('sku')) };
}

export async function listTakenSlugs(tx: Tx, businessId: string, slugs: string[]): Promise<Set<string>> {
  const rows = await tx<{ slug: string }[]>`
    select slug from products where business_id = ${businessId} and slug = any(${slugs})`;
  return new Set(rows.map(({ slug }) => slug));
}

/** Locks the products in ID order, then their stock. */
export async function lockProducts(tx: Tx, businessId: string, ids: string[]): Promise<Map<string, Product>> {
  if (ids.length === 0) return new Map();
  const rows = await tx<{ id: string; doc: StoredProduct }[]>`
    select id, doc from products where business_id = ${businessId} and id = any(${ids}) order by id for update`;
  const stock = await tx<{ productId: string; variantId: string; quantity: number }[]>`
    select product_id, variant_id, quantity from stock where business_id = ${businessId} and product_id = any(${ids})
    order by product_id, variant_id for update`;
  const byProduct = Map.groupBy(stock, ({ productId }) => productId);
  return new Map(
    rows.map(({ id, doc }) => {
      const quantities = (byProduct.get(id) ?? []).map(({ variantId, quantity }) => [variantId, quantity]);
      return [id, withQuantities(doc, Object.fromEntries(quantities))];
    }),
  );
}

/** Inserts products with their stock, prices, price history, words and events: one statement per table for any number of products. */
export async function insertProducts(
  ctx: Command,
  created: readonly { product: Product; history: readonly PriceRow[] }[],
): Promise<void> {
  if (created.length === 0) return;
  const products = created.map(({ product }) => product);
  const { db: tx, businessId } = ctx;
  const statuses = products.map(statusOf);
  const ids = products.map(({ id }) => id);
  const categories = products.map(({ category }) => category);
  const prices = products.flatMap((product, i) =>
    [...lowestPrices(product)].map(([market, price]) => ({ market, price, at: i })),
  );
  const words = products.map((product) => wordsOf(searchTexts(product)));
  // SKUs are locked before slugs, as in every other write.
  const locked = lockSkus(
    tx,
    businessId,
    products.flatMap((product) => newSkus(null, product)),
  );
  // Sent first: the other statements reference these rows.
  const inserted = tx`
      insert into products (business_id, id, slug, status, category, name_key, doc, created_at)
      select ${businessId}, p.* from unnest(${ids}::text[], ${products.map(({ slug }) => slug)}::text[], ${statuses}::text[],
        ${categories}::text[], ${products.map(({ name }) => foldText(name))}::text[], ${products.map((product) => jsonText(storedProduct(product)))}::jsonb[],
        ${products.map(({ createdAt }) => createdAt)}::bigint[]) as p`.execute();
  await Promise.all([
    locked,
    inserted,
    insertStockOf(ctx, products),
    insertNewPrices(ctx, created),
    tx`
      insert into product_prices (business_id, product_id, market, price, status, category)
      select ${businessId}, p.* from unnest(${prices.map(({ at }) => ids[at])}::text[], ${prices.map(({ market }) => market)}::text[],
        ${prices.map(({ price }) => price)}::bigint[], ${prices.map(({ at }) => statuses[at])}::text[],
        ${prices.map(({ at }) => categories[at])}::text[]) as p`,
    tx`
      with newest as materialized (
        select coalesce((select bucket from product_search where business_id = ${businessId} order by product_id desc limit 1), 0) as bucket
      )
      insert into product_search (business_id, product_id, bucket, status, category, words)
      select ${businessId}, p.id, newest.bucket + sum(p.opens) over (order by p.n), p.status, p.category, p.words::tsvector
      from newest, (
        select *, (random() * ${BUCKET_SIZE} < 1)::int as opens
        from unnest(${ids}::text[], ${statuses}::text[], ${categories}::text[], ${words.map(({ vector }) => vector)}::text[])
          with ordinality as each (id, status, category, words, n)
      ) p`,
    saveFacets(tx, businessId, products),
    saveTranslations(
      tx,
      businessId,
      products.filter(({ translations }) => translations),
    ),
    saveVocabulary(tx, businessId, [...new Set(words.flatMap(({ vocabulary }) => vocabulary))].sort()),
    ctx.eventsFrom(
      tx,
      tx`select 'product.created' as type, 'product:' || e.id as entity, e.data
        from unnest(${ids}::text[], ${products.map((product) => jsonText(showProduct(product, ctx.publicUrl())))}::jsonb[])
          as e (id, data)`,
    ),
  ]);
}

async function insertStockOf(
  { db: tx, businessId, caller, now }: Command,
  products: readonly Product[],
): Promise<void> {
  const variants = products.flatMap((product) =>
    product.variants.map((variant) => ({ productId: product.id, soldAs: soldAs(product, variant), ...variant })),
  );
  if (variants.length === 0) return;
  const stocked = variants.filter(({ inventory }) => inventory.quantity !== 0);
  await Promise.all([
    tx`
      insert into stock (business_id, product_id, variant_id, sku, tracked, quantity, low_stock_threshold, sold_as)
      select ${businessId}, product_id, variant_id, nullif(sku, ''), tracked::boolean, quantity, threshold, sold_as
      from unnest(${variants.map(({ productId }) => productId)}::text[], ${variants.map(({ id }) => id)}::text[],
        ${variants.map(({ sku }) => sku)}::text[], ${variants.map(({ inventory }) => String(inventory.tracked))}::text[],
        ${variants.map(({ inventory }) => inventory.quantity)}::bigint[],
        ${variants.map(({ inventory }) => inventory.lowStockThreshold ?? null)}::bigint[],
        ${variants.map((variant) => jsonText(variant.soldAs))}::jsonb[]
      ) as v (product_id, variant_id, sku, tracked, quantity, threshold, sold_as)`,
    tx`
      select record_stock_change(${businessId}, product_id, variant_id, quantity, quantity, 'SET', null, ${caller.userId}, ${now})
      from unnest(${stocked.map(({ productId }) => productId)}::text[], ${stocked.map(({ id }) => id)}::text[],
        ${stocked.map(({ inventory }) => inventory.quantity)}::bigint[]) as v (product_id, variant_id, quantity)`,
  ]);
}
