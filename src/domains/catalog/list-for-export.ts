import type { Db } from '../../db/sql.ts';
import { fillDocument } from './document.ts';

/** Products in the order of their ids, each as the JSON that is answered, from after an id on. */
export async function listProductsForExport(
  db: Db,
  businessId: string,
  { after, limit, publicUrl }: { after: string; limit: number; publicUrl: string },
): Promise<{ id: string; json: string }[]> {
  const rows = await db<{ id: string; doc: string; quantities: string | null }[]>`
    select p.id, p.doc, s.quantities
    from (select id, doc from products where business_id = ${businessId} and id > ${after} order by id limit ${limit}) p
    left join (
      select product_id, array_agg(quantity order by variant_id)::text as quantities from stock
      where business_id = ${businessId} and product_id > ${after} and product_id <= (
        select max(id) from (select id from products where business_id = ${businessId} and id > ${after} order by id limit ${limit}) last)
      group by product_id
    ) s on s.product_id = p.id
    order by p.id`;
  return rows.map(({ id, doc, quantities }) => ({ id, json: fillDocument(doc, quantities ?? '{}', publicUrl) }));
}

/** The markets that products have prices in. */
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
