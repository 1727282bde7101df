import type { Versioned } from '../../context/index.ts';
import { violatesUnique } from '../../db/errors.ts';
import type { Db, Tx } from '../../db/sql.ts';
import { AS_IT_IS, NOTHING_PREPARED } from '../../shared/blocks.ts';
import { type FieldError, invalid, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { answered } from '../../shared/own-addresses.ts';
import { slugCandidates } from '../../shared/slugs.ts';
import { sentStatuses } from '../../shared/statuses.ts';
import { findUsedMedia, saveReferences } from '../media/index.ts';
import { type Composed, composeProduct, mediaIdsOf, mediaIdsOfProduct } from './compose.ts';
import type { Command, Steps } from './context.ts';
import { parseDocument } from './document.ts';
import {
  findProduct,
  findProductId,
  insertProduct,
  listTaken,
  lockProduct,
  savePrices,
  updateProduct,
} from './queries.ts';
import { type Product, type ProductChanges, type ProductInput, RESERVED_SLUGS } from './schemas.ts';
import { saveSearch } from './search-queries.ts';
import { insertStock, saveStock } from './stock-queries.ts';

export async function createProduct(ctx: Command, input: ProductInput, texts = NOTHING_PREPARED): Promise<Product> {
  const { db: tx, caller, now, businessId } = ctx;
  const changes = { ...input, statuses: sentStatuses(input) };
  const publicUrl = ctx.publicUrl();
  const media = await findUsedMedia(ctx, mediaIdsOf(input));
  const context = {
    id: newId('prod'),
    businessId,
    caller,
    nowSeconds: now,
    publicUrl,
    media,
    sanitize: texts.sanitize,
  };
  const composed = composeProduct(null, changes, context);
  const product = await settleUnique(tx, composed);
  await Promise.all([
    insertProduct(tx, product),
    insertStock(tx, product, caller.userId, now),
    savePrices(tx, product),
    saveSearch(tx, product),
    media.size > 0 ? saveMedia(ctx, product) : undefined,
  ]);
  const data = answered(product, publicUrl);
  await ctx.emit({ type: 'product.created', entity: `product:${product.id}`, data });
  return data;
}

/**
 * A change that sets quantities undoes no sale: the version of the stock must fit too. It is compared once nobody else can change
 * the stock.
 */
export async function changeProduct(
  ctx: Command,
  { id: idOrSlug, changes }: { id: string; changes: ProductChanges },
  texts = NOTHING_PREPARED,
): Promise<Versioned<Product>> {
  const { db: tx, caller, now, businessId } = ctx;
  const id = await findProductId(tx, businessId, idOrSlug);
  const row = id && (await lockProduct(tx, businessId, id));
  if (!id || !row) throw notFound('Product');
  ctx.checkVersion(setsQuantity(changes) ? `${row.version}.${row.stockVersion}` : row.version);
  const publicUrl = ctx.publicUrl();
  const current = parseDocument(row.doc, row.quantities);
  const media = await findUsedMedia(ctx, mediaIdsOf(changes));
  const context = { id, businessId, caller, nowSeconds: now, publicUrl, media, sanitize: texts.sanitize };
  const composed = composeProduct(current, changes, context);
  const product = await settleUnique(tx, composed);
  const [version, stockVersion] = await Promise.all([
    updateProduct(tx, product),
    changes.variants ? saveStock(tx, current, product, caller.userId, now) : row.stockVersion,
    savePrices(tx, product),
    saveSearch(tx, product),
    saveMedia(ctx, product),
  ]);
  const record = answered(product, publicUrl);
  const entity = `product:${id}` as const;
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

/** Which files of the library it uses, so that none is deleted unawares. */
async function saveMedia(ctx: Command, product: Product): Promise<void> {
  const used = await findUsedMedia(ctx, mediaIdsOfProduct(product));
  await saveReferences(ctx.db, product.businessId, `product:${product.id}`, [...used.keys()]);
}

const setsQuantity = ({ variants = [] }: ProductChanges) =>
  variants.some(({ inventory }) => inventory?.quantity !== undefined);

/** What is wrong with a body besides its shape. `changes` may lack what was wrong in shape. Null: of a new product. */
export async function findProblems(
  ctx: Steps,
  { id: idOrSlug, changes }: { id: string | null; changes: ProductChanges },
): Promise<FieldError[]> {
  const { db, businessId, caller, now: nowSeconds } = ctx;
  const id = idOrSlug && (await findProductId(db, businessId, idOrSlug));
  const row = id && (await findProduct(db, businessId, id));
  const current = row ? parseDocument(row.doc!, row.quantities ?? '{}') : null;
  const context = {
    id: id ?? newId('prod'),
    businessId,
    caller,
    nowSeconds,
    publicUrl: ctx.publicUrl(),
    sanitize: AS_IT_IS,
    media: await findUsedMedia(ctx, mediaIdsOf(changes)),
  };
  const composed = composeProduct(current, changes, context);
  return (await lookForTaken(db, composed)).errors;
}

/** Another write took the slug or SKU between the look and the write: the next look names the field, or finds another slug. */
export const isTaken = (error: unknown) => violatesUnique(error, 'products_slug') || violatesUnique(error, 'stock_sku');

/** Raises 422 for every wrong field at once, those found before and what other products have already. */
async function settleUnique(tx: Tx, composed: Composed): Promise<Product> {
  const { slug, errors } = await lookForTaken(tx, composed);
  if (errors.length > 0) throw invalid(errors);
  return { ...composed.product, slug: slug! };
}

/** A slug that is free, and everything that is wrong, with what other products have already. */
async function lookForTaken(db: Db, { product, slugGiven, errors }: Composed) {
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
