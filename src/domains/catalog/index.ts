/**
 * The catalog: **products** and their **variants**. A variant has a price per **market** and its **stock**. The **ledger**
 * records every stock change. **Words** are a product's search index.
 *
 * Invariants: a quantity never drops below 0, and a variant's ledger adds up to its quantity. The stored document holds
 * everything except quantities, which have their own rows, so a sale never touches the product. A change to a product locks
 * the product first, then its stock; stock rows are locked in order of product and variant.
 */
import type { Platform } from '../../context/index.ts';
import { createProductResponses } from './products/product-responses.ts';
import { CHANGE_PRICE, changePrice, type PriceChange } from './products/sale-prices.ts';
import type { Catalog } from './service.ts';

export type { CatalogServices } from './context.ts';
export { importProducts } from './imports/import-products.ts';
export { listPriceMarkets, listProductsForExport } from './imports/list-for-export.ts';
export type { ProductImport } from './imports/merge-product.ts';
export { addProduct } from './products/create-product.ts';
export { findSummaries } from './products/list-summaries.ts';
export { listPriceHistories, type PriceRow } from './products/price-queries.ts';
export { existingProducts } from './products/queries.ts';
export type { Sale } from './products/sale-prices.ts';
export { isArchived, listSitemapProducts, listSitemapStarts, type SitemapRow } from './products/site-queries.ts';
export { type Product, ProductChanges, type ProductInput, ProductSummary } from './products/schemas.ts';
export {
  findVariantsBySku,
  moveStock,
  returnStock,
  type StockLine,
  takeStock,
  takeStockOrAbort,
  type UnderstockedLine,
} from './stock/queries.ts';
export { listSellables, type Sellable } from './stock/sellables.ts';
export { productKind, refreshProductMedia } from './versions/product-kind.ts';
export { previewProductDraft } from './versions/preview-product.ts';

export function createCatalog(platform: Platform): Catalog {
  platform.handleTasks<PriceChange>({ name: CHANGE_PRICE, handle: changePrice });
  return { responses: createProductResponses(platform) };
}
