import { invalidField, notFound } from '../../../shared/errors.ts';
import { notifyWaiting } from '../alerts/notify.ts';
import type { Command } from '../context.ts';
import { findProductId, lockProduct } from '../products/queries.ts';
import { MAX_STOCK, type Product } from '../products/schemas.ts';
import { showProduct } from '../products/show-product.ts';
import { findStock, moveStock } from './queries.ts';
import type { Adjusted } from './schemas.ts';

type Adjustment = { productId: string; variantId: string; adjust?: number; quantity?: number };

/** Adjusts the current quantity, never below 0, or sets it. Locks the whole product because the event includes it. */
export async function adjustStock(ctx: Command, input: Adjustment): Promise<Adjusted> {
  const { db: tx, businessId } = ctx;
  const { variantId } = input;
  const field = input.adjust === undefined ? 'quantity' : 'adjust';
  const productId = await findProductId(tx, businessId, input.productId);
  const locked = productId && (await lockProduct(tx, businessId, productId));
  const before = locked && (await findStock(tx, businessId, productId, variantId));
  if (!locked || !before) throw notFound('Variant');
  if (input.adjust === undefined && input.quantity === undefined) {
    throw invalidField('adjust', 'REQUIRED', 'adjust or quantity is required.');
  }
  if (input.adjust !== undefined && input.quantity !== undefined) {
    throw invalidField('quantity', 'INVALID_VALUE', 'Send either adjust or quantity, not both.');
  }
  if (!before.tracked) throw invalidField(field, 'NOT_TRACKED', 'Stock is not tracked for this variant.');
  const adjust = input.adjust ?? input.quantity! - before.quantity;
  const [shortage] = await moveStock(tx, {
    businessId,
    lines: [{ productId, variantId, quantity: adjust }],
    reason: field === 'adjust' ? 'ADJUST' : 'SET',
    reference: null,
    userId: ctx.caller.userId,
    nowSeconds: ctx.now,
    source: ctx,
  });
  if (shortage) {
    throw invalidField(
      'adjust',
      'INSUFFICIENT_STOCK',
      `adjust exceeds the available quantity of ${shortage.available}.`,
    );
  }
  const { tracked, quantity, lowStockThreshold } = (await findStock(tx, businessId, productId, variantId))!;
  if (quantity > MAX_STOCK) {
    throw invalidField('adjust', 'OUT_OF_RANGE', `adjust would raise the quantity above the maximum of ${MAX_STOCK}.`);
  }
  await emitAdjusted(ctx, locked.product);
  if (adjust > 0) await notifyWaiting(ctx, [productId]);
  const inventory = { tracked, quantity, ...(lowStockThreshold === null ? {} : { lowStockThreshold }) };
  return { success: true, inventory };
}

async function emitAdjusted(ctx: Command, before: Product): Promise<void> {
  const { product: after } = (await lockProduct(ctx.db, ctx.businessId, before.id))!;
  const shown = (product: Product) => showProduct(product, ctx.publicUrl());
  ctx.emit({ type: 'product.updated', entity: `product:${before.id}`, data: shown(after), before: shown(before) });
}
