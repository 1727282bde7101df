import { invalid } from '../../../shared/errors.ts';
import { getBusiness } from '../../businesses/index.ts';
import { listSellables } from '../../catalog/index.ts';
import {
  addressOf,
  findPromoByCode,
  isSamePlace,
  isSameText,
  type Priced,
  type StoredLine,
  type UsablePromo,
} from '../../pricing/index.ts';
import type { Steps } from '../context.ts';
import { type Cart, priceOrder, totalsOf } from '../money/price-order.ts';
import { isSameCode } from '../money/price-terms.ts';
import { callProviders } from '../money/provider-results.ts';
import type { OrderDoc, OrderRow } from '../order.ts';
import { promoUse } from '../stock.ts';
import type { LineInput, OrderUpdate } from './schemas.ts';

export type Repriced = Priced & Pick<OrderDoc, 'promoUserId'>;

/**
 * Computes the new price of an order; null if the update doesn't affect it. If staff send totals, the other totals keep their
 * values. Otherwise the order is priced again, and existing lines keep their agreed prices.
 */
export async function repriceOrder(ctx: Steps, order: OrderRow, input: OrderUpdate): Promise<Repriced | null> {
  const { doc } = order;
  const { configs } = await getBusiness(ctx, ctx.businessId);
  const cart = cartOf(input, doc);
  // Correcting the address of a paid order does not change its price.
  const isPlaceKept = order.paid > 0 || isSamePlace(placesOf(doc), cart, configs);
  if (isPlaceKept && isUnchanged(cart, doc)) return null;

  const [sellables, promo] = await Promise.all([
    listSellables(ctx.db, ctx.businessId, cart.lines, ctx.publicUrl()),
    findPromo(ctx, order, cart, input),
  ]);
  const keepsCode = isSameCode(cart.promoCode, doc.promoCode);
  // The order's existing code was valid when the order was placed.
  const nowSeconds = keepsCode ? order.createdAt : ctx.now;
  const facts = { configs, sellables, promo, previous: doc, nowSeconds };
  const results = await callProviders(ctx, cart, facts, order.customerId);
  const result = priceOrder(cart, { ...facts, ...results });
  if ('errors' in result) throw invalid(result.errors);
  const priced = { ...result.priced, vatCheck: results.vatCheck ?? undefined };
  return keepsCode ? priced : { ...priced, promoUserId: input.customerId ?? order.customerId };
}

const placesOf = ({ shippingAddress = null, billingAddress = null }: OrderDoc) => ({ shippingAddress, billingAddress });

/** Merges the update into the order; omitted fields stay the same. If the market changes, lines lose their agreed prices. */
function cartOf(input: OrderUpdate, doc: OrderDoc): Cart {
  const { market = doc.market, currency = null, shippingMethodId, promoCode } = input;
  const isSameMarket = isSameText(market, doc.market);
  const storedLines = doc.lines.map(
    ({ productId, variantId, quantity, unitPrice }): LineInput => ({
      productId,
      variantId,
      quantity,
      ...(isSameMarket ? { unitPrice } : {}),
    }),
  );
  return {
    market,
    currency,
    shippingMethodId: shippingMethodId === undefined ? doc.shippingMethodId : shippingMethodId || null,
    ...addressesAfter(input, doc),
    promoCode: promoCode === undefined ? doc.promoCode : promoCode?.trim() || null,
    lines: input.lines ?? storedLines,
    totals: totalsOf(input),
  };
}

/** Omitted addresses stay the same. */
const addressesAfter = (input: OrderUpdate, doc: OrderDoc) => ({
  shippingAddress:
    input.shippingAddress === undefined ? (doc.shippingAddress ?? null) : addressOf(input.shippingAddress),
  billingAddress: input.billingAddress === undefined ? (doc.billingAddress ?? null) : addressOf(input.billingAddress),
  pickupLocationId: input.pickupLocationId === undefined ? (doc.pickupLocationId ?? null) : input.pickupLocationId,
});

const isUnchanged = (cart: Cart, doc: OrderDoc) =>
  isSameText(cart.market, doc.market) &&
  (cart.currency === null || isSameText(cart.currency, doc.currency)) &&
  cart.shippingMethodId === doc.shippingMethodId &&
  cart.pickupLocationId === (doc.pickupLocationId ?? null) &&
  isSameCode(cart.promoCode, doc.promoCode) &&
  areSameLines(cart.lines, doc.lines) &&
  Object.entries(cart.totals).every(([name, sum]) => doc[name as keyof Cart['totals']] === sum);

const areSameLines = (sent: readonly LineInput[], stored: readonly StoredLine[]) =>
  sent.length === stored.length &&
  sent.every((line, i) => {
    const { productId, variantId, quantity, unitPrice, totalPrice } = stored[i]!;
    return (
      line.productId === productId &&
      line.variantId === variantId &&
      line.quantity === quantity &&
      (line.unitPrice ?? unitPrice) === unitPrice &&
      (line.totalPrice ?? totalPrice) === totalPrice
    );
  });

/** The order's own use of a code doesn't count against the code's limits. */
async function findPromo(
  { db, businessId }: Steps,
  order: OrderRow,
  { promoCode }: Cart,
  { customerId = order.customerId }: OrderUpdate,
): Promise<UsablePromo | null> {
  if (promoCode === null) return null;
  const { promoId } = order.doc;
  const userId = isSameCode(promoCode, order.doc.promoCode) && promoId ? promoUse(order, promoId).userId : customerId;
  const promo = await findPromoByCode(db, businessId, promoCode.toLowerCase(), userId);
  if (promo === null || promo.id !== promoId || !order.holds) return promo;
  return { ...promo, uses: promo.uses - 1, usesByUser: promo.usesByUser - 1 };
}
