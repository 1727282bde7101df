/** Steps shared by every change to a product: composing it and writing its related rows. */
import type { Sanitize } from '../../../shared/blocks/index.ts';
import type { Caller } from '../../../shared/security/caller.ts';
import { findUsedMedia, type MediaById } from '../../media/index.ts';
import { redirectPages } from '../../redirects/index.ts';
import { notifyWaiting } from '../alerts/notify.ts';
import type { Command, Query } from '../context.ts';
import { savePriceChanges } from '../prices/price-history.ts';
import { saveSearch } from '../search/queries.ts';
import { saveStock } from '../stock/queries.ts';
import { movesOf } from '../translations/moves.ts';
import { saveTranslations } from '../translations/queries.ts';
import { type Composed, composeProduct, statusOf } from './compose.ts';
import { mediaIdsOf } from './compose-media.ts';
import { savePrices } from './queries.ts';
import { findReferenced } from './references.ts';
import type { Product, ProductChanges } from './schemas.ts';

/** Applies `changes` and returns the product, its validation errors, and the files it references. A null `caller` is the system. */
export async function compose(
  ctx: Command | Query,
  change: { current: Product | null; id: string; changes: ProductChanges; caller: Caller | null; sanitize: Sanitize },
): Promise<Composed & { media: MediaById }> {
  const { current, changes, ...rest } = change;
  const [media, existing] = await Promise.all([
    findUsedMedia(ctx, mediaIdsOf(changes)),
    findReferenced(ctx.db, ctx.businessId, changes),
  ]);
  const { businessId, now: nowSeconds } = ctx;
  const context = { ...rest, businessId, nowSeconds, publicUrl: ctx.publicUrl(), media, existing };
  return { ...composeProduct(current, changes, context), media };
}

/** Writes the related rows: stock, prices and their history, search. Returns the new stock version if stock was written. */
export async function updateDetails(
  ctx: Command,
  before: Product,
  after: Product,
  userId: string | null,
): Promise<number | undefined> {
  const { db: tx, now } = ctx;
  const [stockVersion] = await Promise.all([
    after.variants === before.variants ? undefined : saveStock(tx, before, after, userId, now),
    savePrices(tx, after),
    savePriceChanges({ db: tx, now }, before, after),
    saveSearch(tx, after),
    after.translations === before.translations ? undefined : saveTranslations(tx, after.businessId, [after]),
  ]);
  await notifyWaiting(ctx, [after.id]);
  if (statusOf(before) === 'ACTIVE') await redirectPages(ctx, movesOf('products', before, after));
  return stockVersion;
}

/** Tracked variants whose quantity drops to or below their threshold with this change. */
export function newlyLowVariants(before: Product, { id: productId, variants }: Product) {
  const quantities = new Map(before.variants.map(({ id, inventory }) => [id, inventory.quantity]));
  return variants.flatMap(({ id: variantId, sku, inventory: { tracked, quantity, lowStockThreshold } }) => {
    const previous = quantities.get(variantId);
    if (!tracked || lowStockThreshold === undefined || previous === undefined) return [];
    if (previous <= lowStockThreshold || quantity > lowStockThreshold) return [];
    return { productId, variantId, sku: sku || null, quantity, lowStockThreshold };
  });
}
