import type { Db } from '../../db/sql.ts';
import { parseDocument } from './document.ts';
import { listSellableRows } from './queries.ts';
import type { Variant } from './schemas.ts';

/** What a basket needs to know of a variant. */
export type Sellable = {
  productId: string;
  variantId: string;
  productName: string;
  variantName: string;
  sku: string;
  prices: Variant['pricing']['markets'];
  /** Only ACTIVE products are sold. */
  active: boolean;
  tracked: boolean;
  quantity: number;
};

/** Those of `refs` that exist, each once, in no particular order. */
export async function listSellables(
  db: Db,
  businessId: string,
  refs: readonly { productId: string; variantId: string }[],
): Promise<Sellable[]> {
  if (refs.length === 0) return [];
  const rows = await listSellableRows(db, businessId, refs);
  const products = new Map(rows.map((row) => [row.productId, row]));
  const parsed = new Map([...products].map(([id, row]) => [id, parseDocument(row.doc, '{}')]));
  return rows.flatMap((row) => {
    const product = parsed.get(row.productId)!;
    const variant = product.variants.find((each) => each.id === row.variantId);
    if (!variant) return [];
    return {
      productId: row.productId,
      variantId: row.variantId,
      productName: product.name,
      variantName: variant.name,
      sku: variant.sku,
      prices: variant.pricing.markets,
      active: row.status === 'ACTIVE',
      tracked: row.tracked,
      quantity: row.quantity,
    };
  });
}
