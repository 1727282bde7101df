/** What a change makes of an order's document. What is not sent, or sent as it was read, stays as it is. */
import { isDeepStrictEqual } from 'node:util';
import { invalid } from '../../shared/errors.ts';
import { getBusiness } from '../businesses/index.ts';
import { listSellables } from '../catalog/index.ts';
import { findPromoByCode, type StoredLine, same, type UsablePromo } from '../pricing/index.ts';
import { checkOrderBlocks } from './blocks.ts';
import type { Command } from './context.ts';
import { nameLines } from './manual-lines.ts';
import type { OrderDoc, OrderRow } from './order.ts';
import { useOf } from './order-stock.ts';
import type { LineInput, OrderUpdate } from './schemas.ts';
import { type Asked, isSameCode, termsOf } from './terms.ts';
import { addUp, type GivenSums } from './totals.ts';

export async function changeDocument(ctx: Command, order: OrderRow, input: OrderUpdate): Promise<OrderDoc> {
  const doc = { ...order.doc };
  if (input.blocks !== undefined && !isDeepStrictEqual(input.blocks, doc.blocks)) {
    doc.blocks = await checkOrderBlocks(ctx, input.blocks, { fromCustomer: false });
  }
  if (input.paymentMethod !== undefined) doc.paymentMethod = input.paymentMethod;
  if (input.tracking) doc.tracking = input.tracking;
  else if (input.tracking === null) delete doc.tracking;
  return changePrice(ctx, { ...order, doc }, input);
}

/**
 * With sums, those that are not sent keep their values, and all have to add up. Without, an order whose lines, market,
 * shipping method or promo code have changed is priced again, at the prices that were agreed for the lines it had.
 */
async function changePrice(ctx: Command, order: OrderRow, input: OrderUpdate): Promise<OrderDoc> {
  const { doc } = order;
  const asked = askedIn(input, doc);
  const sent = sentSums(input);
  const isSameBasket =
    same(asked.market, doc.market) &&
    asked.shippingMethodId === doc.shippingMethodId &&
    isSameCode(asked.promoCode, doc.promoCode) &&
    (asked.currency === null || same(asked.currency, doc.currency)) &&
    (input.lines === undefined || isSameLines(input.lines, doc.lines));
  if (isSameBasket && Object.entries(sent).every(([name, sum]) => doc[name as keyof GivenSums] === sum)) return doc;

  const isPriced = Object.keys(sent).length > 0;
  const [{ configs }, sellables, promo] = await Promise.all([
    getBusiness(ctx, ctx.businessId),
    listSellables(ctx.db, ctx.businessId, input.lines ?? doc.lines),
    findPromo(ctx, order, asked, input),
  ]);
  const former = same(asked.market, doc.market) ? doc.lines : [];
  const wanted = input.lines ?? doc.lines.map((line) => lineOf(line, former.length > 0));
  const named = nameLines(wanted, { sellables, former, sold: doc.lines, market: asked.market });
  const isFormerCode = isSameCode(asked.promoCode, doc.promoCode);
  const { terms, errors } = termsOf(asked, {
    ...{ configs, lines: named.lines, sellables, promo, former: doc, isPriced },
    // A code that the order has already was used in time.
    nowSeconds: isFormerCode ? order.createdAt : ctx.now,
  });
  const given = isPriced ? { ...storedSums(doc), ...sent } : {};
  const problems = [...named.errors, ...errors];
  const sums = problems.length > 0 ? { errors: problems } : addUp(named.lines, given, terms.price);
  if ('errors' in sums) throw invalid(sums.errors);
  const { lines: parts, ...totals } = sums.totals;
  const { price, ...chosen } = terms;
  return {
    ...{ ...doc, ...totals, ...chosen, taxMode: price.taxMode },
    ...(isFormerCode ? {} : { promoUserId: input.customerId ?? order.customerId }),
    lines: named.lines.map((line, i) => ({ ...line, ...parts[i]! })),
  };
}

const askedIn = ({ market, currency, shippingMethodId, promoCode }: OrderUpdate, doc: OrderDoc): Asked => ({
  market: market ?? doc.market,
  currency: currency ?? null,
  shippingMethodId: shippingMethodId === undefined ? doc.shippingMethodId : shippingMethodId || null,
  promoCode: promoCode === undefined ? doc.promoCode : promoCode?.trim() || null,
});

function sentSums({ subtotal, tax, shipping, discount, total }: GivenSums): GivenSums {
  const sums = Object.entries({ subtotal, tax, shipping, discount, total });
  return Object.fromEntries(sums.filter(([, sum]) => sum !== undefined));
}

const storedSums = ({ subtotal, tax, shipping, discount, total }: OrderDoc): GivenSums => ({
  ...{ subtotal, tax, shipping, discount, total },
});

const isSameLines = (sent: readonly LineInput[], stored: readonly StoredLine[]) =>
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

const lineOf = ({ productId, variantId, quantity, unitPrice }: StoredLine, withPrice: boolean): LineInput => ({
  ...{ productId, variantId, quantity },
  ...(withPrice ? { unitPrice } : {}),
});

/** The order's own use of the code it has does not count against it. */
async function findPromo(
  { db, businessId }: Command,
  order: OrderRow,
  { promoCode }: Asked,
  { customerId = order.customerId }: OrderUpdate,
): Promise<UsablePromo | null> {
  if (promoCode === null) return null;
  const { promoId } = order.doc;
  const userId = isSameCode(promoCode, order.doc.promoCode) && promoId ? useOf(order, promoId).userId : customerId;
  const promo = await findPromoByCode(db, businessId, promoCode.toLowerCase(), userId);
  if (promo === null || promo.id !== promoId || !order.holds) return promo;
  return { ...promo, uses: promo.uses - 1, usesByUser: promo.usesByUser - 1 };
}
