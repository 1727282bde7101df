import { consumeCallLimit } from '../../db/call-limits.ts';
import { type FieldError, invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type Configs, getBusiness } from '../businesses/index.ts';
import { existingProducts, listSellables, type Sellable } from '../catalog/index.ts';
import { isSamePlace } from './addresses/addresses.ts';
import { hasCarrier, listCarrierRates } from './carrier-rates.ts';
import { type CartRequest, cartRequestOf, checkCart, checkChoices, type Priced, resolveCart } from './cart.ts';
import { command, type Query, type Steps } from './context.ts';
import { isSameText } from './errors.ts';
import { findPromoByCode } from './promos/queries.ts';
import { findQuote, insertQuote } from './quote-queries.ts';
import type { ItemInput, Quote, QuoteInput } from './schemas.ts';
import { showPrice } from './show-price.ts';
import { findTaxQuote } from './taxes/tax-quote.ts';
import { checkVatId, vatIdToCheck } from './vat/check.ts';

const QUOTE_SECONDS = 900;

/** The current price of a cart. It is stored for a limited time, so that a checkout with the quote pays the same price. */
export const quote = command({
  async prepare(ctx, input: QuoteInput) {
    const { businessId } = input;
    await consumeCallLimit(ctx, 'quote');
    const { priced } = await priceCartRequest(ctx.within(businessId), cartRequestOf(input, { forCheckout: false }));
    return { businessId, id: newId('quote'), doc: priced, expiresAt: ctx.now + QUOTE_SECONDS };
  },
  async execute(ctx, row): Promise<Quote> {
    ctx.issue(insertQuote(ctx.db, row));
    const { id, expiresAt, doc } = row;
    const { taxMode: _, promoId: __, vatCheck: ___, ...shown } = doc;
    return { id, ...shown, ...showPrice(doc), expiresAt };
  },
});

/** `isWatched`: at least one variant has a low-stock threshold. */
type PricedCart = { priced: Priced; isWatched: boolean };

/** Loads the data and prices the cart. Throws a 422 that lists every error. */
export async function priceCartRequest(ctx: Steps, request: CartRequest): Promise<PricedCart> {
  const facts = await findFacts(ctx, request);
  const { sellables } = facts;
  const checked = await checkWithTax(ctx, request, facts);
  if ('errors' in checked) throw invalid(await nameVariants(ctx, request, sellables, checked.errors));
  return { priced: checked.priced, isWatched: sellables.some((each) => each.isWatched) };
}

export type Facts = Awaited<ReturnType<typeof findFacts>>;

/** Everything that the price of a cart depends on. */
export async function findFacts(ctx: Steps, request: CartRequest) {
  const { businessId } = ctx;
  const { promoCode } = request;
  const [{ configs }, sellables, promo] = await Promise.all([
    getBusiness(ctx, businessId),
    listSellables(ctx.quick, businessId, request.items, ctx.publicUrl()),
    promoCode === null ? null : findPromoByCode(ctx.db, businessId, promoCode.toLowerCase(), ctx.caller.userId),
  ]);
  const { vatCheck, carrierRates } = await callProviders(ctx, request, { configs, sellables });
  return {
    configs,
    sellables,
    promo: promo && { ...promo, ...promo.doc },
    vatCheck,
    vatValid: vatCheck === 'VALID',
    carrierRates,
    nowSeconds: ctx.now,
  };
}

/** Prices the cart, with the tax of a provider if there is one. */
export async function checkWithTax(
  ctx: Steps,
  request: CartRequest,
  facts: Facts,
): Promise<{ priced: Priced } | { errors: FieldError[] }> {
  let checked = checkCart(request, facts);
  const taxQuote = 'priced' in checked ? await findTaxQuote(ctx, facts.configs, checked.priced) : null;
  if (taxQuote) checked = checkCart(request, { ...facts, taxQuote });
  return 'priced' in checked && facts.vatCheck ? { priced: { ...checked.priced, vatCheck: facts.vatCheck } } : checked;
}

/** Calls the carrier and VIES, if the price depends on them. Holds no connection while it waits. */
async function callProviders(
  ctx: Steps,
  request: CartRequest,
  facts: { configs: Configs; sellables: readonly Sellable[] },
) {
  const { configs } = facts;
  const vatId = vatIdToCheck(configs, request);
  const needsCarrier = hasCarrier(configs, request.shippingMethodId);
  if (vatId === null && !needsCarrier) return { vatCheck: null, carrierRates: new Map() };
  const { market, addresses, ...cart } = resolveCart(request, facts, () => {});
  const shipped = { ...cart, ...addresses, market: market?.id ?? request.market };
  const [vatCheck, carrierRates] = await Promise.all([
    vatId === null ? null : checkVatId(ctx, vatId, ctx.caller.userId),
    needsCarrier ? listCarrierRates(ctx, configs, shipped, request.shippingMethodId) : new Map(),
  ]);
  return { vatCheck, carrierRates };
}

/** If the product exists but the variant doesn't, reports the error on the variant. */
export async function nameVariants(
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
  const { configs } = await getBusiness(ctx, ctx.businessId);
  const isShipped = doc.lines.some(({ requiresShipping = true }) => requiresShipping);
  const isMatch =
    isSameText(doc.market, request.market) &&
    (!request.currency || isSameText(doc.currency, request.currency)) &&
    (!request.shippingMethodId || !isShipped || doc.shippingMethodId === request.shippingMethodId) &&
    (!request.pickupLocationId || doc.pickupLocationId === request.pickupLocationId) &&
    isSamePlace(doc, request, configs) &&
    (request.promoCode === null || isSameText(doc.promoCode ?? '', request.promoCode)) &&
    isSameCart(doc.lines, request.items);
  if (!isMatch)
    throw invalidField('quoteId', 'QUOTE_MISMATCH', 'This quote is for a different cart. Request a new one.');
  const { priced, errors } = checkChoices(doc, request, configs);
  if (errors.length > 0) throw invalid(errors);
  const sellables = await listSellables(ctx.db, ctx.businessId, request.items, ctx.publicUrl());
  checkStillSold(sellables, request);
  return { priced, isWatched: sellables.some((each) => each.isWatched) };
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
