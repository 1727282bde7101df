import type { Versioned } from '../../context/index.ts';
import type { Db, Tx } from '../../db/sql.ts';
import type { Sanitize } from '../../shared/blocks.ts';
import type { Caller } from '../../shared/caller.ts';
import { type FieldError, invalid, notFound } from '../../shared/errors.ts';
import { answered } from '../../shared/own-addresses.ts';
import { slugCandidates } from '../../shared/slugs.ts';
import { inStoredOrder, isSameRecord } from '../../shared/statuses.ts';
import { findUsedMedia, type MediaById, saveReferences } from '../media/index.ts';
import { type Noted, planScheduled, versionOf } from '../publishing/index.ts';
import { type Composed, composeProduct, mediaIdsOf } from './compose.ts';
import type { Command, Steps } from './context.ts';
import { parseDocument } from './document.ts';
import { findDraftOf } from './find-draft.ts';
import { findProductId, listTaken, lockProduct, type ProductRow, savePrices, updateProduct } from './queries.ts';
import { type Product, type ProductChanges, RESERVED_SLUGS } from './schemas.ts';
import { saveSearch } from './search-queries.ts';
import { lockSkus, newSkus, saveStock } from './stock-queries.ts';

/** A product that is locked with its stock, and what is in it. */
export type LockedProduct = { row: ProductRow; product: Product };

export async function lockForChange(ctx: Command, idOrSlug: string): Promise<LockedProduct> {
  const id = await findProductId(ctx.db, ctx.businessId, idOrSlug);
  const row = id && (await lockProduct(ctx.db, ctx.businessId, id));
  if (!row) throw notFound('Product');
  return { row, product: parseDocument(row.doc, row.quantities) };
}

/** What `changes` make of the product, what is wrong with them, and the files they name. `caller` null: the service. */
export async function compose(
  ctx: Command | Steps,
  change: { current: Product | null; id: string; changes: ProductChanges; caller: Caller | null; sanitize: Sanitize },
): Promise<Composed & { media: MediaById }> {
  const { current, changes, ...rest } = change;
  const media = await findUsedMedia(ctx, mediaIdsOf(changes));
  const { businessId, now: nowSeconds } = ctx;
  const context = { ...rest, businessId, nowSeconds, publicUrl: ctx.publicUrl(), media };
  return { ...composeProduct(current, changes, context), media };
}

/** Writes what a change makes of a product, with its version, what waits in it and what is told of it; nothing when it is as it was. */
export async function saveProduct(
  ctx: Command,
  { row, product: current }: LockedProduct,
  composed: Composed,
  noted: Noted,
): Promise<Versioned<Product>> {
  const { db: tx, now } = ctx;
  const product = await reserveUnique(tx, current, composed);
  const publicUrl = ctx.publicUrl();
  const entity = `product:${product.id}` as const;
  // The stock that was read is locked: what is as it was needs no write.
  if (isSameRecord(product, current)) {
    return { record: answered(current, publicUrl), version: `${row.version}.${row.stockVersion}` };
  }
  const isOtherVariants = product.variants !== current.variants;
  const [version, stockVersion] = await Promise.all([
    updateProduct(
      tx,
      product,
      versionOf(ctx, 'product', { number: row.version, before: current, after: product }, noted),
    ),
    isOtherVariants ? saveStock(tx, current, product, noted.userId, now) : row.stockVersion,
    savePrices(tx, product),
    saveSearch(tx, product),
    saveMedia(ctx, product),
  ]);
  await planScheduled(ctx, entity, current.scheduled, product.scheduled);
  const record = answered(product, publicUrl);
  await ctx.emit(
    { type: 'product.updated', entity, data: record, before: answered(current, publicUrl) },
    ...ranLow(current, product).map((data) => ({ type: 'inventory.low' as const, entity, data })),
  );
  return { record, version: `${version}.${stockVersion}` };
}

/** The tracked variants whose quantity this change takes to or below their threshold. */
function ranLow(before: Product, { id: productId, variants }: Product) {
  const quantities = new Map(before.variants.map(({ id, inventory }) => [id, inventory.quantity]));
  return variants.flatMap(({ id: variantId, sku, inventory: { tracked, quantity, lowStockThreshold } }) => {
    const was = quantities.get(variantId);
    if (!tracked || lowStockThreshold === undefined || was === undefined) return [];
    if (was <= lowStockThreshold || quantity > lowStockThreshold) return [];
    return { productId, variantId, sku: sku || null, quantity, lowStockThreshold };
  });
}

/** Notes which files of the library it uses, in public and in its draft, so that none is deleted unawares. */
export async function saveMedia(ctx: Command, product: Product): Promise<void> {
  const draft = await findDraftOf(ctx.db, product);
  const used = await findUsedMedia(ctx, [product, ...(draft ? [draft] : [])].flatMap(mediaIdsOf));
  await saveReferences(ctx.db, product.businessId, `product:${product.id}`, [...used.keys()]);
}

/** The product with a slug that is free. Raises 422 for every wrong field at once, also those that other products have already. */
export async function requireUnique(tx: Tx, composed: Composed): Promise<Product> {
  const { slug, errors } = await lookForTaken(tx, composed);
  if (errors.length > 0) throw invalid(errors);
  return inStoredOrder({ ...composed.product, slug: slug! });
}

/** The same for a product that is written now: until the transaction ends, nobody else gets the SKUs that it adds. */
export async function reserveUnique(tx: Tx, current: Product | null, composed: Composed): Promise<Product> {
  const { businessId } = composed.product;
  const [, product] = await Promise.all([
    lockSkus(tx, businessId, newSkus(current, composed.product)),
    requireUnique(tx, composed),
  ]);
  return product;
}

/** A slug that is free, and everything that is wrong, with what other products have already. */
export async function lookForTaken(db: Db, { product, slugGiven, errors }: Composed) {
  const slugs = slugGiven ? [product.slug] : slugCandidates(product.slug).filter((slug) => !RESERVED_SLUGS.has(slug));
  const skus = product.variants.map(({ sku }) => sku).filter((sku) => sku !== '');
  const taken = await listTaken(db, product.businessId, product.id, slugs, skus);
  const found: FieldError[] = [...errors];
  const slug = slugs.find((candidate) => !taken.slugs.has(candidate));
  if (slugGiven && slug === undefined) {
    found.push({ field: 'slug', error: 'DUPLICATE', message: 'slug is used by another product.' });
  }
  for (const [i, { sku }] of product.variants.entries()) {
    const field = `variants[${i}].sku`;
    if (taken.skus.has(sku) && !found.some((error) => error.field === field)) {
      found.push({ field, error: 'DUPLICATE', message: `${field} is used by another product.` });
    }
  }
  return { slug, errors: found };
}
