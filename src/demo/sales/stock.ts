/** Keeps stock and its ledger in memory. */
import type { Product, Sellable } from '../../domains/catalog/index.ts';
import type { Cause, EventLog } from './event-log.ts';
import type { Delivery } from './stock-plan.ts';

type Line = { productId: string; variantId: string; quantity: number };

type StockOptions = { businessId: string; log: EventLog; products: readonly Product[]; sellables: readonly Sellable[] };

export function createStock({ businessId, log, products, sellables }: StockOptions) {
  const shelf = new Map(sellables.map((each) => [keyOf(each), { ...each, changes: 0 }]));
  const ledger: object[] = [];

  const productOf = (slug: string) => products.find((product) => product.slug === slug)!;

  /** Moves stock by signed quantities: negative ones are taken, positive ones returned. */
  function move(lines: readonly Line[], cause: Cause, reason: 'ORDER' | 'CANCEL' | 'ADJUST', reference: string | null) {
    for (const { productId, variantId, quantity: change } of lines) {
      const variant = shelf.get(keyOf({ productId, variantId }))!;
      if (!variant.tracked) continue;
      variant.quantity += change;
      variant.changes++;
      const { quantity, sku } = variant;
      const where = { businessId, productId, variantId };
      // The first entry is the initial quantity of the product.
      ledger.push({
        ...where,
        id: variant.changes + 1,
        change,
        quantity,
        reason,
        reference,
        userId: cause.userId,
        createdAt: cause.now,
      });
      const threshold = thresholdOf(productId, variantId);
      if (threshold === null || quantity > threshold || quantity - change <= threshold) continue;
      const data = { productId, variantId, sku, quantity, lowStockThreshold: threshold };
      log.emitter(cause).emit({ type: 'inventory.low', entity: `product:${productId}`, data });
    }
  }

  function thresholdOf(productId: string, variantId: string): number | null {
    const { variants } = products.find(({ id }) => id === productId)!;
    return variants.find(({ id }) => id === variantId)?.inventory.lowStockThreshold ?? null;
  }

  /** Staff add a delivery to the stock. */
  function receive({ slug, variantId, quantity }: Delivery, cause: Cause): void {
    const product = productOf(slug);
    const before = shown(product);
    move([{ productId: product.id, variantId, quantity }], cause, 'ADJUST', null);
    const entity = `product:${product.id}` as const;
    log.emitter(cause).emit({ type: 'product.updated', entity, data: shown(product), before });
  }

  const shown = (product: Product): Product => ({
    ...product,
    variants: product.variants.map((variant) => {
      const { quantity } = shelf.get(keyOf({ productId: product.id, variantId: variant.id }))!;
      return { ...variant, inventory: { ...variant.inventory, quantity } };
    }),
  });

  return {
    move,
    receive,
    productOf,
    sellables: () => [...shelf.values()],
    ledger,
    /** Variants whose stock has changed; `changes` counts how often. */
    moved: () => [...shelf.values()].filter(({ changes }) => changes > 0),
  };
}

const keyOf = ({ productId, variantId }: Pick<Line, 'productId' | 'variantId'>) => `${productId} ${variantId}`;
