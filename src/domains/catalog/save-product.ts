import type { Versioned } from '../../context/index.ts';
import { violatesUnique } from '../../db/errors.ts';
import type { Db, Tx } from '../../db/sql.ts';
import { type FieldError, invalid, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { answered } from '../../shared/own-addresses.ts';
import { slugCandidates } from '../../shared/slugs.ts';
import { findUsedMedia, saveReferences } from '../media/index.ts';
import { type Composed, composeProduct, mediaIdsOf, mediaIdsOfProduct } from './compose.ts';
import type { Command, Steps } from './context.ts';
import { parseDocument } from './document.ts';
import { findProduct, insertProduct, listTaken, lockProduct, savePrices, updateProduct } from './queries.ts';
import type { Product, ProductChanges, ProductInput } from './schemas.ts';
import { saveSearch } from './search-queries.ts';
import { insertStock, saveStock } from './stock-queries.ts';

export async function createProduct(ctx: Command, input: ProductInput): Promise<Product> {
  const { db: tx, caller, now: nowSeconds, businessId } = ctx;
  const media = await findUsedMedia(ctx, mediaIdsOf(input));
  const composed = composeProduct(null, input, { id: newId('prod'), businessId, caller, nowSeconds, media });
  const product = await settleUnique(tx, composed);
  await Promise.all([
    insertProduct(tx, product),
    insertStock(tx, product, caller.userId, nowSeconds),
    savePrices(tx, product),
    saveSearch(tx, product),
    media.size > 0 ? saveMedia(ctx, product) : undefined,
  ]);
  return answered(product, ctx.publicUrl());
}

export async function changeProduct(
  ctx: Command,
  { id, changes }: { id: string; changes: ProductChanges },
): Promise<Versioned<Product>> {
  const { db: tx, caller, now: nowSeconds, businessId } = ctx;
  const row = await lockProduct(tx, businessId, id);
  if (!row) throw notFound('Product');
  ctx.checkVersion(row.version);
  const current = parseDocument(row.doc, row.quantities);
  const media = await findUsedMedia(ctx, mediaIdsOf(changes));
  const composed = composeProduct(current, changes, { id, businessId, caller, nowSeconds, media });
  const product = await settleUnique(tx, composed);
  const [version] = await Promise.all([
    updateProduct(tx, product),
    changes.variants ? saveStock(tx, current, product, caller.userId, nowSeconds) : undefined,
    savePrices(tx, product),
    saveSearch(tx, product),
    saveMedia(ctx, product),
  ]);
  return { record: answered(product, ctx.publicUrl()), version };
}

/** Which files of the library it uses, so that none is deleted unawares. */
async function saveMedia(ctx: Command, product: Product): Promise<void> {
  const used = await findUsedMedia(ctx, mediaIdsOfProduct(product));
  await saveReferences(ctx.db, product.businessId, `product:${product.id}`, [...used.keys()]);
}

/** What is wrong with a body besides its shape. `changes` may lack what was wrong in shape. Null: of a new product. */
export async function findProblems(
  ctx: Steps,
  { id, changes }: { id: string | null; changes: ProductChanges },
): Promise<FieldError[]> {
  const { db, businessId, caller, now: nowSeconds } = ctx;
  const row = id === null ? null : await findProduct(db, businessId, id);
  const current = row && parseDocument(row.doc!, row.quantities);
  const media = await findUsedMedia(ctx, mediaIdsOf(changes));
  const context = { id: id ?? newId('prod'), businessId, caller, nowSeconds, media };
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
  const slugs = slugGiven ? [product.slug] : slugCandidates(product.slug);
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
