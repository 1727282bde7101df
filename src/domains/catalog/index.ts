/**
 * Catalog: what is for sale. A **product** has **variants**; a variant has a price in each **market** and its **stock**. The
 * **ledger** holds every change of a quantity. **Words** are what the text search knows of a product.
 *
 * Invariants: a quantity never falls below 0, and the ledger of a variant adds up to its quantity. The stored document holds
 * everything but the quantities, which live in rows of their own: a sale never touches the product. A change of a product
 * locks it first and its stock after; rows of stock are locked in the order of product and variant.
 */
import type { Platform } from '../../context/index.ts';
import type { CatalogServices } from './context.ts';
import { createProductJson } from './product-json.ts';
import { completeSoldAs } from './sellables.ts';

export type { CatalogServices } from './context.ts';
export { importProducts, type ProductImport } from './import-products.ts';
export { listPriceMarkets, listProductsForExport } from './list-for-export.ts';
export { productKind } from './publish-product.ts';
export { existingProducts } from './queries.ts';
export { refreshProductMedia } from './refresh-media.ts';
export { createProduct } from './save-product.ts';
export { type Product, ProductChanges, type ProductInput } from './schemas.ts';
export { listSellables, type Sellable } from './sellables.ts';
export { setPicture } from './set-picture.ts';
export {
  type LackingLine,
  moveStock,
  returnStock,
  type StockLine,
  takeStock,
  takeStockOrAbort,
} from './stock-queries.ts';

/** What this domain remembers. */
export function createCatalog(platform: Platform) {
  platform.handleJobs<object, CatalogServices>({
    name: 'complete-sold-as',
    cron: '*/10 * * * *',
    handle: completeSoldAs,
  });
  return { documents: createProductJson(platform) };
}

export type Catalog = ReturnType<typeof createCatalog>;
