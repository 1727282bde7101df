import type { Db } from '../../db/sql.ts';
import { type SoldAs, soldAs } from './compose.ts';
import type { Steps } from './context.ts';
import { parseDocument } from './document.ts';
import { completeProduct, findProduct, listNotSoldAs, listSellableRows, type SellableRow } from './queries.ts';

/** What a basket needs to know of a variant. */
export type Sellable = SoldAs & {
  productId: string;
  variantId: string;
  /** Only ACTIVE products are sold. */
  active: boolean;
  tracked: boolean;
  quantity: number;
  /** It is told when it runs low. */
  isWatched: boolean;
};

/** Those of `refs` that exist, each once, in no particular order. */
export async function listSellables(
  db: Db,
  businessId: string,
  refs: readonly { productId: string; variantId: string }[],
): Promise<Sellable[]> {
  if (refs.length === 0) return [];
  const rows = await listSellableRows(db, businessId, refs);
  return rows.flatMap((row) => {
    const sold: SoldAs | null = row.soldAs === null ? fromDocument(row) : JSON.parse(row.soldAs);
    if (!sold) return [];
    const { productId, variantId, tracked, quantity } = row;
    const isWatched = row.lowStockThreshold !== null;
    return { ...sold, ...{ productId, variantId, active: row.status === 'ACTIVE', tracked, quantity, isWatched } };
  });
}

function fromDocument({ doc, variantId }: SellableRow): SoldAs | null {
  const product = parseDocument(doc!, '{}');
  const variant = product.variants.find((each) => each.id === variantId);
  return variant ? soldAs(product, variant) : null;
}

const BATCH = 20;

/** For products that were last saved before this was stored: a few at a time, until none is left. */
export async function completeSoldAs(ctx: Steps): Promise<void> {
  while (!ctx.signal.aborted) {
    const rows = await listNotSoldAs(ctx.db, BATCH);
    for (const { businessId, productId } of rows) {
      const product = await findProduct(ctx.db, businessId, productId);
      if (product) await ctx.write((tx) => completeProduct(tx, parseDocument(product.doc!, '{}')));
    }
    if (rows.length < BATCH) return;
  }
}
