import { AS_IS, NOTHING_PREPARED, type PreparedTexts, prepareTexts } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { saveReferences } from '../../media/index.ts';
import { planScheduled } from '../../publishing/index.ts';
import { type Command, command, type Query } from '../context.ts';
import { insertNewPrices, settlePrices } from '../prices/price-history.ts';
import type { PriceRow } from '../prices/price-queries.ts';
import { saveSearch } from '../search/queries.ts';
import { insertStock } from '../stock/queries.ts';
import { saveTranslations } from '../translations/queries.ts';
import { richTextsOf } from './compose-texts.ts';
import { findProduct, findProductId, insertProduct, savePrices } from './queries.ts';
import { compose } from './save-product.ts';
import type { Product, ProductChanges, ProductInput } from './schemas.ts';
import { showProduct } from './show-product.ts';
import { findTaken, reserveUnique } from './unique.ts';

/** `history`: earlier prices, from another system. */
type NewProduct = { input: ProductInput; texts?: PreparedTexts; history?: readonly PriceRow[] };

export const createProduct = command({
  prepare: async (ctx, input: ProductInput) => ({
    input,
    texts: await prepareTexts(ctx.businessId, input.blocks, richTextsOf(input)),
  }),
  execute: addProduct,
});

export async function addProduct(
  ctx: Command,
  { input, texts = NOTHING_PREPARED, history }: NewProduct,
): Promise<Product> {
  const { db: tx, caller, now } = ctx;
  const { sanitize } = texts;
  const composed = await compose(ctx, { current: null, id: newId('prod'), changes: input, caller, sanitize });
  const product = await settlePrices(ctx, null, await reserveUnique(tx, null, composed), history);
  const entity = `product:${product.id}` as const;
  await Promise.all([
    insertProduct(tx, product),
    insertStock(tx, product, caller.userId, now),
    savePrices(tx, product),
    insertNewPrices(ctx, [{ product, history }]),
    saveSearch(tx, product),
    saveTranslations(tx, product.businessId, [product]),
    composed.media.size > 0 ? saveReferences(tx, product.businessId, entity, [...composed.media.keys()]) : undefined,
  ]);
  await planScheduled(ctx, entity, [], product.scheduled);
  const data = showProduct(product, ctx.publicUrl());
  ctx.emit({ type: 'product.created', entity, data });
  return data;
}

/** Validates a body beyond its schema. `changes` omits fields the schema rejected. A null `id` means a new product. */
export async function findErrors(
  ctx: Query,
  { id: idOrSlug, changes }: { id: string | null; changes: ProductChanges },
): Promise<FieldError[]> {
  const { db, businessId, caller } = ctx;
  const id = idOrSlug && (await findProductId(db, businessId, idOrSlug));
  const current = (id && (await findProduct(db, businessId, id))?.product) || null;
  const composed = await compose(ctx, { current, id: id ?? newId('prod'), changes, caller, sanitize: AS_IS });
  return (await findTaken(db, composed)).errors;
}
