import type { Deps } from '../../deps.ts';
import { notFound } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import { existingProducts } from './queries.ts';
import { findStock, type LedgerRow, listLedger } from './stock-queries.ts';

type StockChange = Omit<LedgerRow, 'id' | 'createdAt'> & { timestamp: number };

/** The ledger of a variant, also of one that the product no longer has. */
export async function listStockChanges(
  { pool, cursors }: Deps,
  businessId: string,
  productId: string,
  variantId: string,
  query: { limit?: number; cursor?: string },
): Promise<Page<StockChange>> {
  const scope = 'stock-changes';
  const limit = pageLimit(query.limit);
  const before = cursors.decode(scope, query.cursor)?.[0] ?? null;
  const [known, rows] = await Promise.all([
    existingProducts(pool, businessId, [productId]),
    listLedger(pool, businessId, productId, variantId, before as number | null, limit + 1),
  ]);
  if (known.length === 0) throw notFound('Product');
  if (rows.length === 0 && !(await findStock(pool, businessId, productId, variantId))) throw notFound('Variant');
  return cursors.page(
    scope,
    rows,
    limit,
    ({ id }) => [id],
    ({ id: _, createdAt, ...change }) => ({ ...change, timestamp: createdAt }),
  );
}
