import type { Versioned } from '../../context/index.ts';
import { violatesUnique } from '../../db/errors.ts';
import { AS_IT_IS, NOTHING_PREPARED } from '../../shared/blocks.ts';
import type { FieldError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { answered } from '../../shared/own-addresses.ts';
import { sentStatuses } from '../../shared/statuses.ts';
import { authorOf, planScheduled } from '../publishing/index.ts';
import type { Command, Steps } from './context.ts';
import { parseDocument } from './document.ts';
import { findProduct, findProductId, insertProduct, savePrices } from './queries.ts';
import { saveDraft } from './save-draft.ts';
import type { Product, ProductChanges, ProductInput } from './schemas.ts';
import { saveSearch } from './search-queries.ts';
import { insertStock } from './stock-queries.ts';
import { compose, lockForChange, lookForTaken, reserveUnique, saveMedia, saveProduct } from './write-product.ts';

export async function createProduct(ctx: Command, input: ProductInput, texts = NOTHING_PREPARED): Promise<Product> {
  const { db: tx, caller, now } = ctx;
  const changes = { ...input, statuses: sentStatuses(input) };
  const { sanitize } = texts;
  const composed = await compose(ctx, { current: null, id: newId('prod'), changes, caller, sanitize });
  const product = await reserveUnique(tx, null, composed);
  await Promise.all([
    insertProduct(tx, product),
    insertStock(tx, product, caller.userId, now),
    savePrices(tx, product),
    saveSearch(tx, product),
    composed.media.size > 0 ? saveMedia(ctx, product) : undefined,
  ]);
  await planScheduled(ctx, `product:${product.id}`, [], product.scheduled);
  const data = answered(product, ctx.publicUrl());
  await ctx.emit({ type: 'product.created', entity: `product:${product.id}`, data });
  return data;
}

export type ProductChange = { id: string; changes: ProductChanges; isDraft?: boolean | undefined };

/**
 * A change that sets quantities undoes no sale: the version of the stock must fit too. It is compared once nobody else can change
 * the stock.
 */
export async function changeProduct(
  ctx: Command,
  { id: idOrSlug, changes, isDraft = false }: ProductChange,
  texts = NOTHING_PREPARED,
): Promise<Versioned<Product>> {
  const locked = await lockForChange(ctx, idOrSlug);
  const { row, product } = locked;
  // A draft sets no quantity: stock has no versions.
  if (isDraft && row.status === 'ACTIVE') {
    ctx.checkVersion(row.version);
    return saveDraft(ctx, locked, changes, texts);
  }
  ctx.checkVersion(setsQuantity(changes) ? `${row.version}.${row.stockVersion}` : row.version);
  const { id } = product;
  const composed = await compose(ctx, { current: product, id, changes, caller: ctx.caller, sanitize: texts.sanitize });
  return saveProduct(ctx, locked, composed, { action: 'UPDATED', ...authorOf(ctx.caller) });
}

const setsQuantity = ({ variants = [] }: ProductChanges) =>
  variants.some(({ inventory }) => inventory?.quantity !== undefined);

/** What is wrong with a body besides its shape. `changes` may lack what was wrong in shape. Null: of a new product. */
export async function findProblems(
  ctx: Steps,
  { id: idOrSlug, changes }: { id: string | null; changes: ProductChanges },
): Promise<FieldError[]> {
  const { db, businessId, caller } = ctx;
  const id = idOrSlug && (await findProductId(db, businessId, idOrSlug));
  const row = id && (await findProduct(db, businessId, id));
  const current = row ? parseDocument(row.doc!, row.quantities ?? '{}') : null;
  const composed = await compose(ctx, { current, id: id ?? newId('prod'), changes, caller, sanitize: AS_IT_IS });
  return (await lookForTaken(db, composed)).errors;
}

/** Another write took the slug or SKU between the look and the write: the next look names the field, or finds another slug. */
export const isTaken = (error: unknown) => violatesUnique(error, 'products_slug') || violatesUnique(error, 'stock_sku');
