import { invalid } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { extendHistory, sentStatuses } from '../../shared/statuses.ts';
import { findUser, type UserSummary } from '../accounts/index.ts';
import { getBusiness, hasActed } from '../businesses/index.ts';
import { listSellables } from '../catalog/index.ts';
import { findPromoByCode } from '../pricing/index.ts';
import { checkOrderBlocks } from './blocks.ts';
import type { Command } from './context.ts';
import { insertMail } from './mails.ts';
import { nameLines } from './manual-lines.ts';
import { type NewOrder, viewOrder } from './order.ts';
import { takeForOrder } from './order-stock.ts';
import { findLastNumber, insertOrder } from './queries.ts';
import { ORDER_STATUSES, type Order, type OrderInput, PAYMENT_STATUSES } from './schemas.ts';
import { type Asked, termsOf } from './terms.ts';
import { addUp } from './totals.ts';

/**
 * An order that staff write by hand. It takes stock and promo use like a checkout, in any market, and no payment is begun for
 * it. Shipping method and promo code are priced as in a checkout; sums that are given stand, and have to add up.
 */
export async function createOrder(ctx: Command, input: OrderInput): Promise<Order> {
  const { db: tx, businessId, now: nowSeconds } = ctx;
  const asked = askedIn(input);
  const [{ configs }, customer, sellables, promo, blocks] = await Promise.all([
    getBusiness(ctx, businessId),
    findUser(tx, input.customerId),
    listSellables(tx, businessId, input.lines),
    asked.promoCode && findPromoByCode(tx, businessId, asked.promoCode.toLowerCase(), input.customerId),
    checkOrderBlocks(ctx, input.blocks ?? [], { fromCustomer: false }),
  ]);
  const named = nameLines(input.lines, { sellables, former: [], market: input.market });
  const facts = { configs, lines: named.lines, sellables, promo: promo || null, nowSeconds, former: null };
  const { terms, errors: inTerms } = termsOf(asked, facts);
  const errors = [...named.errors, ...inTerms];
  if (!customer) errors.push({ field: 'customerId', error: 'NOT_FOUND', message: 'There is no such user.' });
  const sums = errors.length > 0 ? { errors } : addUp(named.lines, input, terms.price);
  if ('errors' in sums) throw invalid(sums.errors);

  const { lines: parts, ...totals } = sums.totals;
  const { price, ...chosen } = terms;
  const order = newOrder(ctx, input, {
    ...totals,
    ...chosen,
    ...{ taxMode: price.taxMode, lines: named.lines.map((line, i) => ({ ...line, ...parts[i]! })), blocks },
    ...(input.tracking ? { tracking: input.tracking } : {}),
    paymentMethod: input.paymentMethod ?? null,
  });
  const ownEmail = await emailOf(ctx, customer!);
  return writeOrder(ctx, withEmail({ ...order, customerEmail: ownEmail }, input.email ?? undefined));
}

const askedIn = ({ market, currency, shippingMethodId, promoCode }: OrderInput): Asked => ({
  market,
  currency: currency ?? null,
  shippingMethodId: shippingMethodId || null,
  promoCode: promoCode?.trim() || null,
});

/** Whoever has not acted here themself is neither shown nor mailed: staff may know of them by their id alone. */
export async function emailOf(ctx: Command, { id, email }: UserSummary): Promise<string | null> {
  return email !== null && (await hasActed(ctx, [id])).has(id) ? email.toLowerCase() : null;
}

/** The order with the address that staff have typed for it, unless that is the one it has. */
export function withEmail<T extends NewOrder>(order: T, typed: string | null | undefined): T {
  const email = typed?.toLowerCase() ?? null;
  if (typed === undefined || email === order.customerEmail) return order;
  const { isEmailTyped: _, ...doc } = order.doc;
  return { ...order, customerEmail: email, doc: email === null ? doc : { ...doc, isEmailTyped: true } };
}

/** The number comes last: its counter is what all orders of the business wait for. */
async function writeOrder(ctx: Command, order: NewOrder): Promise<Order> {
  if (order.holds) {
    const errors = await takeForOrder(ctx, order, ctx.caller.userId);
    if (errors.length > 0) throw invalid(errors);
  }
  insertMail(ctx, order, 'RECEIVED');
  await Promise.all(insertOrder(ctx.db, order, ctx));
  const number = await findLastNumber(ctx.db, order.businessId);
  return viewOrder({ ...order, number }, ctx.caller);
}

function newOrder(
  { caller, businessId, now: nowSeconds }: Command,
  input: OrderInput,
  content: Omit<NewOrder['doc'], 'statuses' | 'paymentStatus'>,
): NewOrder {
  const history = { history: [], initial: 'PENDING', caller, businessId, nowSeconds };
  const statuses = extendHistory({ ...history, incoming: sentStatuses(input), allowed: ORDER_STATUSES });
  const paymentStatus = extendHistory({
    ...history,
    incoming: input.paymentStatus,
    allowed: PAYMENT_STATUSES,
    field: 'paymentStatus',
  });
  const [status, payment] = [statuses.at(-1)!.status, paymentStatus.at(-1)!.status];
  const paid = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(payment) ? content.total : 0;
  return {
    businessId,
    id: newId('ord'),
    status,
    paymentStatus: payment,
    customerId: input.customerId,
    customerEmail: null,
    holds: status !== 'CANCELLED',
    paid,
    refunded: payment === 'REFUNDED' ? paid : 0,
    doc: { ...content, statuses, paymentStatus },
    version: 1,
    createdAt: nowSeconds,
    updatedAt: nowSeconds,
  };
}
