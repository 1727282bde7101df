/**
 * Catalog: what is for sale. A **product** has **variants**; a variant has a price in each **market** and its **stock**. The
 * **ledger** holds every change of a quantity. **Words** are what the text search knows of a product.
 *
 * Invariants: a quantity never falls below 0, and the ledger of a variant adds up to its quantity. The stored document holds
 * everything but the quantities, which live in rows of their own: a sale never touches the product. A change of a product
 * locks it first and its stock after; rows of stock are locked in the order of product and variant.
 */
import type { Tx } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { type Caller, may } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { adjustStock } from './adjust-stock.ts';
import { listProducts } from './list-products.ts';
import { listStockChanges } from './list-stock-changes.ts';
import { createProductJson } from './product-json.ts';
import { deleteProduct, lockProduct } from './queries.ts';
import { changeProduct, createProduct, findProblems, retryTaken } from './save-product.ts';

export { existingProducts, existingProducts as countProducts } from './queries.ts';
export { createProduct } from './save-product.ts';
export type { Product, ProductInput } from './schemas.ts';
export { listSellables, type Sellable } from './sellables.ts';
export {
  type LackingLine,
  returnStock,
  type StockLine,
  type StockMove,
  type StockReason,
  takeStock,
  takeStockOrAbort,
} from './stock-queries.ts';

export function createCatalog(deps: Deps) {
  const products = createProductJson(deps);
  return {
    createProduct: createProduct.bind(null, deps),
    changeProduct: changeProduct.bind(null, deps),
    findProblems: findProblems.bind(null, deps),
    listProducts: listProducts.bind(null, deps, products),
    listStockChanges: listStockChanges.bind(null, deps),
    adjustStock: adjustStock.bind(null, deps),
    retryTaken,
    /** As JSON, with the quantities of this moment. */
    async readProduct(businessId: string, id: string, caller: Caller): Promise<{ json: Buffer; version: number }> {
      const found = await products.one(businessId, id);
      const isSeen = found?.status === 'ACTIVE' || may(caller, businessId, 'CATALOG_WRITE');
      if (!found || !isSeen) throw notFound('Product');
      return found;
    },
    async deleteProduct(tx: Tx, businessId: string, id: string, ifMatch: string | undefined): Promise<void> {
      const row = await lockProduct(tx, businessId, id);
      if (!row) throw notFound('Product');
      checkIfMatch(ifMatch, row.version);
      await deleteProduct(tx, businessId, id);
    },
  };
}

export type Catalog = ReturnType<typeof createCatalog>;
