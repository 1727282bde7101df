/**
 * The catalog: **products** and their **variants**. A variant has a price per **market** and its **stock**. The **ledger**
 * records every stock change. **Words** are a product's search index. **Categories** form the tree of a storefront. **Terms** are
 * the values that products are filtered by, and **facets** count them. A **stock alert** is a request for a back-in-stock email.
 *
 * Invariants: a quantity never drops below 0, and a variant's ledger adds up to its quantity. The stored document
 * contains everything except quantities, which have their own rows, so a sale never touches the product. A change to a product locks
 * the product first, then its stock; stock rows are locked in order of product and variant. The category tree has no cycles:
 * every change to it holds the lock of the tree.
 */
import type { Platform } from '../../context/index.ts';
import { createCache } from '../../db/broadcast.ts';
import { SEND_ALERTS } from './alerts/notify.ts';
import { sendAlerts } from './alerts/send-alerts.ts';
import { CLEAR_CATEGORY, clearCategory } from './categories/delete-category.ts';
import { treeSubject } from './categories/read-categories.ts';
import type { Tree } from './categories/tree.ts';
import { CHANGE_PRICE, changePrice, type PriceChange } from './prices/sale-prices.ts';
import { createProductResponses } from './products/product-responses.ts';
import type { Catalog, FindSuppressed } from './service.ts';

export { notifyWaiting } from './alerts/notify.ts';
export { stockAlertData } from './alerts/personal-data.ts';
export { addCategory, importCategory } from './categories/change-categories.ts';
export { richTextsOf as categoryRichTexts } from './categories/compose.ts';
export { listCategoriesForExport } from './categories/export-categories.ts';
export { refreshCategoryMedia } from './categories/refresh-media.ts';
export { CategoryInput } from './categories/schemas.ts';
export type { CatalogServices } from './context.ts';
export { catalogEvents } from './event-schemas.ts';
export { saveAvailability, saveSold } from './facets/queries.ts';
export { importProducts } from './imports/import-products.ts';
export { listPriceMarkets, listProductsForExport } from './imports/list-for-export.ts';
export type { ProductImport } from './imports/merge-product.ts';
export { listShown, type ShownProduct } from './lists/list-shown.ts';
export { findSummaries } from './lists/list-summaries.ts';
export {
  findSitemapStart,
  isWithdrawn,
  listSitemapCategories,
  listSitemapProducts,
  type SitemapRow,
} from './lists/site-queries.ts';
export { listPriceHistories, type PriceRow } from './prices/price-queries.ts';
export type { Sale } from './prices/sale-prices.ts';
export { richTextsOf as productRichTexts } from './products/compose-texts.ts';
export { addProduct } from './products/create-product.ts';
export { existingProducts } from './products/queries.ts';
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
export { previewProductDraft } from './versions/preview-product.ts';
export { productKind, refreshProductMedia } from './versions/product-kind.ts';

/** Each tree has up to 1,000 categories. */
const MAX_TREES = 200;

export type { FindSuppressed };

export function createCatalog(platform: Platform, findSuppressed: FindSuppressed): Catalog {
  platform.handleTasks<PriceChange>({ name: CHANGE_PRICE, handle: changePrice });
  platform.handleTasks<{ categoryId: string }>({ name: CLEAR_CATEGORY, expireSeconds: 3600, handle: clearCategory });
  platform.handleTasks<{ productId: string }>({ name: SEND_ALERTS, handle: sendAlerts });
  return {
    responses: createProductResponses(platform),
    trees: createCache<Tree>(platform.broadcast, {
      subjectOf: ({ businessId }) => treeSubject(businessId),
      maxEntries: MAX_TREES,
    }),
    findSuppressed,
  };
}
