import type { Db } from '../../db/connection.ts';

type SellableRow = {
  productId: string;
  variantId: string;
  status: string;
  doc: string;
  tracked: boolean;
  quantity: number;
};

export const listSellableRows = (
  db: Db,
  businessId: string,
  refs: readonly { productId: string; variantId: string }[],
) => db<SellableRow[]>`
  select s.product_id, s.variant_id, p.status, p.doc, s.tracked, s.quantity
  from (
    select distinct product_id, variant_id
    from unnest(${refs.map((ref) => ref.productId)}::text[], ${refs.map((ref) => ref.variantId)}::text[])
      as ref (product_id, variant_id)
  ) ref
  join stock s on s.business_id = ${businessId} and s.product_id = ref.product_id and s.variant_id = ref.variant_id
  join products p on p.business_id = ${businessId} and p.id = s.product_id`;

/** Those of `ids` that are products of the business. */
export async function existingProducts(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from products where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map((row) => row.id);
}
