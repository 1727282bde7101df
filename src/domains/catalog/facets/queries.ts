import type { Db, Tx } from '../../../db/sql.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { foldText } from '../../../shared/text/text.ts';
import { lowestPrices, statusOf } from '../products/compose.ts';
import { PRODUCT_STATUSES, type Product } from '../products/schemas.ts';
import { type AddValue, runText } from '../text-statement.ts';
import type { FacetFilter, PriceRange, TermGroup } from './filters.ts';
import { categoryTerm, termsOf } from './terms.ts';

/**
 * Writes the filter values of these products. Their rows in `product_search`, with the buckets, must exist. Stock of existing products
 * is left to `saveAvailability`, because sales change it too.
 */
export const saveFacets = (tx: Tx, businessId: string, products: readonly Product[]) => tx`
  insert into product_facets as f
    (business_id, product_id, bucket, status, name_key, has_variants, is_sold_out, prices, terms)
  select ${businessId}, p.id, s.bucket, p.status, p.name_key, p.has_variants::boolean, p.is_sold_out::boolean, p.prices,
    array(select jsonb_array_elements_text(p.terms))
  from unnest(${products.map(({ id }) => id)}::text[], ${products.map(statusOf)}::text[],
    ${products.map(({ name }) => foldText(name))}::text[],
    ${products.map(({ variants }) => String(variants.length > 0))}::text[],
    ${products.map((product) => String(isSoldOut(product)))}::text[],
    ${products.map((product) => jsonText(Object.fromEntries(lowestPrices(product))))}::jsonb[],
    ${products.map((product) => jsonText(termsOf(product)))}::jsonb[]
  ) as p (id, status, name_key, has_variants, is_sold_out, prices, terms)
  join product_search s on s.business_id = ${businessId} and s.product_id = p.id
  on conflict (business_id, product_id) do update
    set status = excluded.status, name_key = excluded.name_key, has_variants = excluded.has_variants,
      prices = excluded.prices, terms = excluded.terms
    where (f.status, f.name_key, f.has_variants, f.prices, f.terms) is distinct from
      (excluded.status, excluded.name_key, excluded.has_variants, excluded.prices, excluded.terms)`;

export const isSoldOut = ({ variants }: Product) =>
  variants.every(({ inventory }) => inventory.tracked && inventory.quantity === 0);

/** Updates whether these products are sold out. Their stock rows must be locked: sales lock them first, too. */
export const saveAvailability = (tx: Tx, businessId: string, productIds: readonly string[]) =>
  tx`select update_sold_out(${businessId}, id) from unnest(${productIds}::text[]) as id`;

/** Replaces the number of items sold of each product of the business. */
export const saveSold = (tx: Tx, businessId: string, sold: readonly { productId: string; quantity: number }[]) => tx`
  with now_sold (product_id, sold) as (
    select * from unnest(${sold.map(({ productId }) => productId)}::text[], ${sold.map(({ quantity }) => quantity)}::bigint[])
  ),
  changed as (
    select product_id, max(sold) as sold from (
      select product_id, sold from now_sold
      union all
      select product_id, 0 from product_facets
      where business_id = ${businessId} and status = any(${PRODUCT_STATUSES as unknown as string[]}::text[]) and sold > 0
    ) each group by product_id
  ),
  counted as (
    select f.product_id, c.sold from changed c join product_facets f on f.business_id = ${businessId} and f.product_id = c.product_id
    where f.sold <> c.sold order by f.product_id for update of f
  )
  update product_facets f set sold = c.sold from counted c
  where f.business_id = ${businessId} and f.product_id = c.product_id`;

/** The IDs of the products directly in this category. */
export async function listProductsIn(db: Db, businessId: string, categoryId: string, limit: number): Promise<string[]> {
  const rows = await db<{ productId: string }[]>`
    select product_id from product_facets
    where business_id = ${businessId} and terms @> array[${categoryTerm(categoryId)}]
    limit ${limit}`;
  return rows.map(({ productId }) => productId);
}

export const priceIn = (add: AddValue, market: string) => `(f.prices ->> ${add(market)})::bigint`;

/** The number of products with a price in this range, up to `limit`. */
export async function countPrices(
  db: Db,
  businessId: string,
  { market, min, max }: PriceRange,
  limit: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select from product_prices where business_id = ${businessId} and market = ${market}
        and price between ${min ?? 0}::bigint and ${max ?? Number.MAX_SAFE_INTEGER}::bigint
      limit ${limit}) counted`;
  return row!.count;
}

const SAMPLED = 1000;

/** The share of the newest products with a price in this range. */
export async function samplePrices(db: Db, businessId: string, price: PriceRange): Promise<number> {
  const [row] = await runText<{ count: number; total: number }>(
    db,
    (add) => `
      select count(*) filter (where ${isInRange(add, price)})::int as count, count(*)::int as total
      from (
        select prices from product_facets where business_id = ${add(businessId)} order by product_id desc limit ${SAMPLED}
      ) f`,
  );
  return row!.total === 0 ? 0 : row!.count / row!.total;
}

/** The number of products with these terms in these places, up to `limit`. */
export async function countTerms(
  db: Db,
  businessId: string,
  groups: readonly TermGroup[],
  places: readonly string[],
  limit: number,
): Promise<number> {
  const [row] = await runText<{ count: number }>(
    db,
    (add) => `
      select count(*)::int as count from (
        select from unnest(${add(places)}::text[]) as place cross join lateral (
          select from product_facets f
          where f.business_id = ${add(businessId)} and f.places @> array[place] ${termConditions(add, groups)}
          limit ${limit}) f limit ${limit}) counted`,
  );
  return row!.count;
}

export const IS_AVAILABLE = 'f.has_variants and not f.is_sold_out';
/** Matches the predicate of a partial index. */
export const IS_UNAVAILABLE = '(f.is_sold_out or not f.has_variants)';

/** Null if `f` has no price in the market. */
export const isInRange = (add: AddValue, { market, min, max }: PriceRange) => {
  const price = priceIn(add, market);
  return [
    ...(min === null ? [] : [`${price} >= ${add(min)}::bigint`]),
    ...(max === null ? [] : [`${price} <= ${add(max)}::bigint`]),
  ].join(' and ');
};

export const hasTerms = (add: AddValue, { terms }: TermGroup) =>
  terms.length === 1 ? `f.terms @> array[${add(terms[0])}]::text[]` : `f.terms && ${add(terms)}::text[]`;

const termConditions = (add: AddValue, groups: readonly TermGroup[]) =>
  groups.map((group) => `and ${hasTerms(add, group)}`).join('\n');

/** Conditions on `product_facets f`. */
export function facetConditions(add: AddValue, { groups, price, available }: FacetFilter): string {
  return [
    termConditions(add, groups),
    ...(price === null ? [] : [`and ${isInRange(add, price)}`]),
    ...(available === null ? [] : [`and ${available ? IS_AVAILABLE : IS_UNAVAILABLE}`]),
  ].join('\n');
}
