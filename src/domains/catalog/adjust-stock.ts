import type { Tx } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../shared/caller.ts';
import { invalidField, notFound } from '../../shared/errors.ts';
import { type Inventory, MAX_STOCK } from './schemas.ts';
import { findStock, returnStock, type StockMove, takeStock } from './stock-queries.ts';

/** Changes a quantity by `adjust`, whatever it is at that moment; never below 0. */
export async function adjustStock(
  { clock }: Deps,
  tx: Tx,
  businessId: string,
  target: { productId: string; variantId: string },
  caller: Caller,
  adjust: number,
): Promise<Inventory> {
  const { productId, variantId } = target;
  const before = await findStock(tx, businessId, productId, variantId);
  if (!before) throw notFound('Variant');
  if (!before.tracked) throw invalidField('adjust', 'NOT_TRACKED', 'The stock of this variant is not tracked.');
  const move: StockMove = {
    businessId,
    lines: [{ productId, variantId, quantity: Math.abs(adjust) }],
    reason: 'ADJUST',
    reference: null,
    userId: caller.userId,
    nowSeconds: clock.seconds(),
  };
  if (adjust < 0) {
    const [lacking] = await takeStock(tx, move);
    if (lacking) {
      throw invalidField(
        'adjust',
        'INSUFFICIENT_STOCK',
        `adjust would take more than the ${lacking.available} there are.`,
      );
    }
  } else if (adjust > 0) await returnStock(tx, move);
  const { tracked, quantity, lowStockThreshold } = (await findStock(tx, businessId, productId, variantId))!;
  if (quantity > MAX_STOCK) {
    throw invalidField('adjust', 'OUT_OF_RANGE', `adjust would lift the quantity above ${MAX_STOCK}.`);
  }
  return { tracked, quantity, ...(lowStockThreshold === null ? {} : { lowStockThreshold }) };
}
