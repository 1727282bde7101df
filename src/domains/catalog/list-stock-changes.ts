import { notFound } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { existingProducts } from './queries.ts';
import { findStock, type LedgerRow, listLedger } from './stock-queries.ts';

type StockChange = Omit<LedgerRow, 'id' | 'createdAt'> & { timestamp: number };

/** The ledger of a variant, also of one that the product no longer has. */
export async function listStockChanges(
  { db, cursors, businessId }: Query,
  query: { productId: string; variantId: string; limit?: number; cursor?: string },
): Promise<Page<StockChange>> {
  const { productId, variantId } = query;
  const scope = 'stock-changes';
  const limit = pageLimit(query.limit);
  const before = cursors.decode(scope, query.cursor)?.[0] ?? null;
  const [known, rows] = await Promise.all([
    existingProducts(db, businessId, [productId]),
    listLedger(db, businessId, productId, variantId, before as number | null, limit + 1),
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
