import type { Db } from '../../../db/sql.ts';
import { listSellableRows } from '../products/queries.ts';
import type { SoldAs } from '../products/sold-as.ts';

/** The data a cart needs about a variant. */
export type Sellable = SoldAs & {
  productId: string;
  variantId: string;
  /** Only ACTIVE products can be sold. */
  active: boolean;
  tracked: boolean;
  quantity: number;
  /** Has a low-stock threshold. */
  isWatched: boolean;
};

/** The existing variants among `refs`, without duplicates, in no particular order. Images get their full URL. */
export async function listSellables(
  db: Db,
  businessId: string,
  refs: readonly { productId: string; variantId: string }[],
  publicUrl: string,
): Promise<Sellable[]> {
  if (refs.length === 0) return [];
  const rows = await listSellableRows(db, businessId, refs);
  return rows.flatMap((row) => {
    const { soldAs, productId, variantId, tracked, quantity } = row;
    if (!soldAs) return [];
    const isWatched = row.lowStockThreshold !== null;
    const active = row.status === 'ACTIVE';
    const image = soldAs.image?.url.startsWith('/')
      ? { ...soldAs.image, url: publicUrl + soldAs.image.url }
      : soldAs.image;
    return { ...soldAs, image, productId, variantId, active, tracked, quantity, isWatched };
  });
}
