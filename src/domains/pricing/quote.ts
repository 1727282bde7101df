import { spendLimit } from '../../db/call-limits.ts';
import { type FieldError, invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { getBusiness } from '../businesses/index.ts';
import { existingProducts, listSellables, type Sellable } from '../catalog/index.ts';
import { checkBasket, checkChoices, type Priced, same, type Wanted, wantedOf } from './basket.ts';
import type { Query, Steps } from './context.ts';
import { findPromoByCode } from './promo-queries.ts';
import { findQuote, insertQuote } from './quote-queries.ts';
import type { ItemInput, Quote, QuoteInput } from './schemas.ts';

const QUOTE_SECONDS = 900;

/** What a basket costs now. The price is stored for a while, so that a checkout which names it pays no other. */
export async function quote(ctx: Steps, input: QuoteInput): Promise<Quote> {
  const { businessId } = input;
  await spendLimit(ctx, 'quote');
  const { priced } = await priceWanted(ctx.within(businessId), wantedOf(input, { forCheckout: false }));
  const { market, currency, lines, subtotal, tax, taxBps, shipping, discount, total, promoCode } = priced;
  const id = newId('quote');
  const expiresAt = ctx.now + QUOTE_SECONDS;
  await ctx.write((tx) => insertQuote(tx, { businessId, id, doc: priced, expiresAt }));
  return { id, market, currency, lines, subtotal, tax, taxBps, shipping, discount, total, promoCode, expiresAt };
}

/** `isWatched`: some of it is told when it runs low. */
type PricedBasket = { priced: Priced; isWatched: boolean };

/** Reads what the price depends on, and prices. Raises 422 with everything that is wrong. */
export async function priceWanted(ctx: Query, wanted: Wanted): Promise<PricedBasket> {
  const { businessId } = ctx;
  const { promoCode } = wanted;
  const [{ configs }, sellables, promo] = await Promise.all([
    getBusiness(ctx, businessId),
    listSellables(ctx.quick, businessId, wanted.items),
    promoCode === null ? null : findPromoByCode(ctx.db, businessId, promoCode.toLowerCase(), ctx.caller.userId),
  ]);
  const checked = checkBasket(wanted, {
    configs,
    sellables,
    promo: promo && { ...promo, ...promo.doc },
    nowSeconds: ctx.now,
  });
  if ('errors' in checked) throw invalid(await nameVariants(ctx, wanted, sellables, checked.errors));
  return { priced: checked.priced, isWatched: sellables.some((each) => each.isWatched) };
}

/** Where the product is there and the variant is not, the error is the variant's. */
async function nameVariants(
  { db, businessId }: Query,
  { items, field }: Wanted,
  sellables: readonly Sellable[],
  errors: FieldError[],
): Promise<FieldError[]> {
  const unknown = items.filter((item) => !sellables.some((each) => isSameVariant(each, item)));
  if (unknown.length === 0) return errors;
  const ids = unknown.map((item) => item.productId);
  const existing = new Set(await existingProducts(db, businessId, ids));
  const withProduct = new Set(unknown.filter((item) => existing.has(item.productId)));
  return errors.map((error) => {
    const item = items[Number(/\[(\d+)\]\.productId$/.exec(error.field)?.[1] ?? -1)];
    return item && withProduct.has(item) ? { ...error, field: `${field}[${items.indexOf(item)}].variantId` } : error;
  });
}

/** The price of a quote that is still good and was made for exactly this. */
export async function honourQuote(ctx: Query, quoteId: string, wanted: Wanted): Promise<PricedBasket> {
  const found = await findQuote(ctx.db, ctx.businessId, quoteId);
  if (!found) throw invalidField('quoteId', 'NOT_FOUND', 'There is no such quote. Ask for a new one.');
  if (found.expiresAt <= ctx.now)
    throw invalidField('quoteId', 'QUOTE_EXPIRED', 'This quote has expired. Ask for a new one.');
  const { doc } = found;
  const fits =
    same(doc.market, wanted.market) &&
    (!wanted.currency || same(doc.currency, wanted.currency)) &&
    (!wanted.shippingMethodId || doc.shippingMethodId === wanted.shippingMethodId) &&
    (wanted.promoCode === null || same(doc.promoCode ?? '', wanted.promoCode)) &&
    isSameBasket(doc.lines, wanted.items);
  if (!fits)
    throw invalidField('quoteId', 'QUOTE_MISMATCH', 'This quote was made for something else. Ask for a new one.');
  const errors = checkChoices(doc, wanted, (await getBusiness(ctx, ctx.businessId)).configs);
  if (errors.length > 0) throw invalid(errors);
  const sellables = await listSellables(ctx.db, ctx.businessId, wanted.items);
  checkStillSold(sellables, wanted);
  return { priced: doc, isWatched: sellables.some((each) => each.isWatched) };
}

/** A quote guarantees its price, but not that a product stays on sale. */
function checkStillSold(sellables: readonly Sellable[], { items, field }: Wanted): void {
  const errors = items.flatMap((item, i) =>
    sellables.some((each) => isSameVariant(each, item) && each.active)
      ? []
      : [{ field: `${field}[${i}].productId`, error: 'NOT_FOUND', message: 'This product is not for sale any more.' }],
  );
  if (errors.length > 0) throw invalid(errors);
}

type VariantRef = Pick<ItemInput, 'productId' | 'variantId'>;
type Item = VariantRef & { quantity: number };

const isSameVariant = (a: VariantRef, b: VariantRef) => a.productId === b.productId && a.variantId === b.variantId;

function isSameBasket(a: readonly Item[], b: readonly Item[]): boolean {
  const key = (items: readonly Item[]) => {
    const quantities = new Map<string, number>();
    for (const { productId, variantId, quantity } of items) {
      const at = `${productId} ${variantId}`;
      quantities.set(at, (quantities.get(at) ?? 0) + quantity);
    }
    return JSON.stringify([...quantities].sort());
  };
  return key(a) === key(b);
}
