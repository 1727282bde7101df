import { invalidField, notFound } from '../../shared/errors.ts';
import { answered } from '../../shared/own-addresses.ts';
import type { Command } from './context.ts';
import { parseDocument } from './document.ts';
import { findProductId, lockProduct, type ProductRow } from './queries.ts';
import { type Adjusted, MAX_STOCK } from './schemas.ts';
import { findStock, moveStock } from './stock-queries.ts';

type Adjustment = { productId: string; variantId: string; adjust: number };

/** Changes a quantity by `adjust`, whatever it is at that moment; never below 0. Locks the whole product, which the event shows. */
export async function adjustStock(ctx: Command, input: Adjustment): Promise<Adjusted> {
  const { db: tx, businessId } = ctx;
  const { variantId, adjust } = input;
  const productId = await findProductId(tx, businessId, input.productId);
  const product = productId && (await lockProduct(tx, businessId, productId));
  const before = product && (await findStock(tx, businessId, productId, variantId));
  if (!product || !before) throw notFound('Variant');
  if (!before.tracked) throw invalidField('adjust', 'NOT_TRACKED', 'The stock of this variant is not tracked.');
  const [lacking] = await moveStock(tx, {
    businessId,
    lines: [{ productId, variantId, quantity: adjust }],
    reason: 'ADJUST',
    reference: null,
    userId: ctx.caller.userId,
    nowSeconds: ctx.now,
    source: ctx,
  });
  if (lacking) {
    throw invalidField(
      'adjust',
      'INSUFFICIENT_STOCK',
      `adjust would take more than the ${lacking.available} there are.`,
    );
  }
  const { tracked, quantity, lowStockThreshold } = (await findStock(tx, businessId, productId, variantId))!;
  if (quantity > MAX_STOCK) {
    throw invalidField('adjust', 'OUT_OF_RANGE', `adjust would lift the quantity above ${MAX_STOCK}.`);
  }
  await tell(ctx, productId, product);
  const inventory = { tracked, quantity, ...(lowStockThreshold === null ? {} : { lowStockThreshold }) };
  return { success: true, inventory };
}

async function tell(ctx: Command, id: string, before: ProductRow): Promise<void> {
  const after = (await lockProduct(ctx.db, ctx.businessId, id))!;
  const shown = ({ doc, quantities }: ProductRow) => answered(parseDocument(doc, quantities), ctx.publicUrl());
  await ctx.emit({ type: 'product.updated', entity: `product:${id}`, data: shown(after), before: shown(before) });
}
