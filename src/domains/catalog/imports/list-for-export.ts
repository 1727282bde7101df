import type { Db } from '../../../db/sql.ts';
import type { Product } from '../products/schemas.ts';
import { showProduct } from '../products/show-product.ts';
import { type Quantities, type StoredProduct, withQuantities } from '../products/stored-product.ts';

/** Products as members see them, in ID order, starting after an ID. */
export async function listProductsForExport(
  db: Db,
  businessId: string,
  { after, limit, publicUrl }: { after: string; limit: number; publicUrl: string },
): Promise<Product[]> {
  const rows = await db<{ doc: StoredProduct; quantities: Quantities | null }[]>`
    select p.doc, s.quantities
    from (select id, doc from products where business_id = ${businessId} and id > ${after} order by id limit ${limit}) p
    left join (
      select product_id, json_object_agg(variant_id, quantity) as quantities from stock
      where business_id = ${businessId} and product_id > ${after} and product_id <= (
        select max(id) from (select id from products where business_id = ${businessId} and id > ${after} order by id limit ${limit}) last)
      group by product_id
    ) s on s.product_id = p.id
    order by p.id`;
  return rows.map(({ doc, quantities }) => showProduct(withQuantities(doc, quantities ?? {}), publicUrl));
}

/** Markets in which products have prices. */
export async function listPriceMarkets(db: Db, businessId: string, limit: number): Promise<string[]> {
  const rows = await db<{ market: string }[]>`
    with recursive found (market) as (
      (select market from product_prices where business_id = ${businessId} order by market limit 1)
      union all
      select (select market from product_prices p where p.business_id = ${businessId} and p.market > found.market order by market limit 1)
      from found where found.market is not null
    )
    select market from found where market is not null limit ${limit}`;
  return rows.map(({ market }) => market);
}
