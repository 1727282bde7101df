import { notFound } from '../../../shared/errors.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import type { Query } from '../context.ts';
import { existingProducts, findProductId } from '../products/queries.ts';
import { findStock, type LedgerRow, listLedger } from './queries.ts';

type StockChange = Omit<LedgerRow, 'id' | 'createdAt'> & { timestamp: number };

/** The ledger of a variant, even if the variant was removed from the product. Rows are small, so pages need no byte limit. */
export async function listStockChanges(
  { db, replica, cursors, businessId }: Query,
  query: { productId: string; variantId: string; limit?: number; cursor?: string },
): Promise<Page<StockChange>> {
  const { variantId } = query;
  const productId = await findProductId(db, businessId, query.productId);
  if (productId === null) throw notFound('Product');
  const scope = `stock-changes:${businessId}:${productId}:${variantId}`;
  const limit = pageLimit(query.limit);
  const before = cursors.decode(scope, query.cursor)?.[0] ?? null;
  const [known, rows] = await Promise.all([
    existingProducts(db, businessId, [productId]),
    listLedger(replica, businessId, productId, variantId, before as number | null, limit + 1),
  ]);
  if (known.length === 0) throw notFound('Product');
  if (rows.length === 0 && !(await findStock(db, businessId, productId, variantId))) throw notFound('Variant');
  return cursors.page(
    scope,
    rows,
    limit,
    ({ id }) => [id],
    ({ id: _, createdAt, ...change }) => ({ ...change, timestamp: createdAt }),
  );
}
