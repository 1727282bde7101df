import { spendLimit } from '../../db/call-limits.ts';
import { type FieldError, invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { getBusiness } from '../businesses/index.ts';
import { existingProducts, listSellables, type Sellable } from '../catalog/index.ts';
import { type CartRequest, cartRequestOf, checkCart, checkChoices, isSameText, type Priced, showLine } from './cart.ts';
import { command, type Query } from './context.ts';
import { displayOf } from './pricing.ts';
import { findPromoByCode } from './promo-queries.ts';
import { findQuote, insertQuote } from './quote-queries.ts';
import type { ItemInput, Quote, QuoteInput } from './schemas.ts';

const QUOTE_SECONDS = 900;

/** The current price of a cart. It is stored for a limited time, so that a checkout with the quote pays the same price. */
export const quote = command({
  async prepare(ctx, input: QuoteInput) {
    const { businessId } = input;
    await spendLimit(ctx, 'quote');
    const { priced } = await priceCartRequest(ctx.within(businessId), cartRequestOf(input, { forCheckout: false }));
    return { businessId, id: newId('quote'), doc: priced, expiresAt: ctx.now + QUOTE_SECONDS };
  },
  async execute(ctx, row): Promise<Quote> {
    ctx.issue(insertQuote(ctx.db, row));
    const { id, expiresAt, doc } = row;
    const { market, currency, subtotal, tax, taxBps, shipping, discount, total, promoCode } = doc;
    const sums = { subtotal, tax, taxBps, shipping, discount, total, display: displayOf(doc) };
    return { id, market, currency, lines: doc.lines.map(showLine), ...sums, promoCode, expiresAt };
  },
});

/** `isWatched`: at least one variant has a low-stock threshold. */
type PricedCart = { priced: Priced; isWatched: boolean };

/** Loads the data and prices the cart. Throws a 422 that lists every error. */
export async function priceCartRequest(ctx: Query, request: CartRequest): Promise<PricedCart> {
  const { businessId } = ctx;
  const { promoCode } = request;
  const [{ configs }, sellables, promo] = await Promise.all([
    getBusiness(ctx, businessId),
    listSellables(ctx.quick, businessId, request.items, ctx.publicUrl()),
    promoCode === null ? null : findPromoByCode(ctx.db, businessId, promoCode.toLowerCase(), ctx.caller.userId),
  ]);
  const checked = checkCart(request, {
    configs,
    sellables,
    promo: promo && { ...promo, ...promo.doc },
    nowSeconds: ctx.now,
  });
  if ('errors' in checked) throw invalid(await nameVariants(ctx, request, sellables, checked.errors));
  return { priced: checked.priced, isWatched: sellables.some((each) => each.isWatched) };
}

/** If the product exists but the variant doesn't, reports the error on the variant. */
async function nameVariants(
  { db, businessId }: Query,
  { items, field }: CartRequest,
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

/** The price of an unexpired quote for exactly this cart. */
export async function honorQuote(ctx: Query, quoteId: string, request: CartRequest): Promise<PricedCart> {
  const found = await findQuote(ctx.db, ctx.businessId, quoteId);
  if (!found) throw invalidField('quoteId', 'NOT_FOUND', 'This quote does not exist. Request a new one.');
  if (found.expiresAt <= ctx.now)
    throw invalidField('quoteId', 'QUOTE_EXPIRED', 'This quote has expired. Request a new one.');
  const { doc } = found;
  const isMatch =
    isSameText(doc.market, request.market) &&
    (!request.currency || isSameText(doc.currency, request.currency)) &&
    (!request.shippingMethodId || doc.shippingMethodId === request.shippingMethodId) &&
    (request.promoCode === null || isSameText(doc.promoCode ?? '', request.promoCode)) &&
    isSameCart(doc.lines, request.items);
  if (!isMatch)
    throw invalidField('quoteId', 'QUOTE_MISMATCH', 'This quote is for a different cart. Request a new one.');
  const errors = checkChoices(doc, request, (await getBusiness(ctx, ctx.businessId)).configs);
  if (errors.length > 0) throw invalid(errors);
  const sellables = await listSellables(ctx.db, ctx.businessId, request.items, ctx.publicUrl());
  checkStillSold(sellables, request);
  return { priced: doc, isWatched: sellables.some((each) => each.isWatched) };
}

/** A quote guarantees its price, but not that a product stays on sale. */
function checkStillSold(sellables: readonly Sellable[], { items, field }: CartRequest): void {
  const errors = items.flatMap((item, i) =>
    sellables.some((each) => isSameVariant(each, item) && each.active)
      ? []
      : [{ field: `${field}[${i}].productId`, error: 'NOT_FOUND', message: 'This product is no longer for sale.' }],
  );
  if (errors.length > 0) throw invalid(errors);
}

type VariantRef = Pick<ItemInput, 'productId' | 'variantId'>;
type Item = VariantRef & { quantity: number };

const isSameVariant = (a: VariantRef, b: VariantRef) => a.productId === b.productId && a.variantId === b.variantId;

function isSameCart(a: readonly Item[], b: readonly Item[]): boolean {
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
