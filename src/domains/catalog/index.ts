/**
 * Catalog: what is for sale. A **product** has **variants**; a variant has a price in each **market** and its **stock**. The
 * **ledger** holds every change of a quantity.
 *
 * Invariants: a quantity never falls below 0, and the ledger of a variant adds up to its quantity. The stored document holds
 * everything but the quantities, which live in rows of their own: a sale never touches the product. Rows of stock are locked
 * in the order of product and variant.
 */
import type { Deps } from '../../deps.ts';

export { existingProducts as countProducts, existingProducts } from './queries.ts';
export { listSellables, type Sellable } from './sellables.ts';
export {
  type LackingLine,
  returnStock,
  type StockLine,
  type StockMove,
  type StockReason,
  takeStock,
} from './stock-queries.ts';

export function createCatalog(_deps: Deps) {
  return {};
}

export type Catalog = ReturnType<typeof createCatalog>;
