import { type FieldError, invalid } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { extendHistory } from '../../shared/statuses.ts';
import { findUser, type UserSummary } from '../accounts/index.ts';
import { getBusiness, hasActed, type Market } from '../businesses/index.ts';
import { listSellables, type Sellable } from '../catalog/index.ts';
import { type StoredLine, same } from '../pricing/index.ts';
import { checkOrderBlocks } from './blocks.ts';
import type { Command } from './context.ts';
import { enqueueMail } from './mails.ts';
import { nameLines } from './manual-lines.ts';
import { type NewOrder, viewOrder } from './order.ts';
import { takeForOrder } from './order-stock.ts';
import { insertOrder } from './queries.ts';
import { ORDER_STATUSES, type Order, type OrderInput, PAYMENT_STATUSES } from './schemas.ts';
import { addUp } from './totals.ts';

/** An order that staff write by hand. It takes stock like a checkout, in any market, and no payment is begun for it. */
export async function createOrder(ctx: Command, input: OrderInput): Promise<Order> {
  const { db: tx, businessId } = ctx;
  const [{ configs }, customer, sellables, blocks] = await Promise.all([
    getBusiness(ctx, businessId),
    findUser(tx, input.customerId),
    listSellables(tx, businessId, input.lines),
    checkOrderBlocks(ctx, input.blocks ?? []),
  ]);
  const market = configs.markets?.find((each) => same(each.id, input.market)) ?? null;
  const named = nameLines(input.lines, { sellables, former: [], market: input.market });
  const errors = [...named.errors];
  if (!customer) errors.push({ field: 'customerId', error: 'NOT_FOUND', message: 'There is no such user.' });
  const currency = findCurrency(input, market, sellables, errors);
  const terms = { taxMode: market?.taxMode ?? ('EXCLUSIVE' as const), taxBps: market?.taxBps ?? 0 };
  const sums = errors.length > 0 ? { errors } : addUp(named.lines, input, terms);
  if ('errors' in sums) throw invalid(sums.errors);

  const { lines: parts, ...totals } = sums.totals;
  const lines: StoredLine[] = named.lines.map((line, i) => ({ ...line, ...parts[i]! }));
  const order = newOrder(ctx, input, {
    ...totals,
    ...{ market: market?.id ?? input.market, currency, taxMode: terms.taxMode, lines, blocks },
    ...{ promoCode: null, promoId: null },
    shippingMethodId: input.shippingMethodId ?? null,
    paymentMethod: input.paymentMethod ?? null,
  });
  return writeOrder(ctx, { ...order, customerEmail: await emailOf(ctx, customer!) });
}

/** Whoever has not acted here themself is neither shown nor mailed: staff may know of them by their id alone. */
export async function emailOf(ctx: Command, { id, email }: UserSummary): Promise<string | null> {
  return email !== null && (await hasActed(ctx, [id])).has(id) ? email.toLowerCase() : null;
}

/** The number comes last: its counter is what all orders of the business wait for. */
async function writeOrder(ctx: Command, order: NewOrder): Promise<Order> {
  if (order.holds) {
    const errors = await takeForOrder(ctx, order, ctx.caller.userId);
    if (errors.length > 0) throw invalid(errors);
  }
  await enqueueMail(ctx, order, 'RECEIVED');
  const [numbered] = await insertOrder(ctx.db, order);
  return viewOrder({ ...order, number: numbered!.number });
}

function newOrder(
  { caller, businessId, now: nowSeconds }: Command,
  input: OrderInput,
  content: Omit<NewOrder['doc'], 'statuses' | 'paymentStatus'>,
): NewOrder {
  const history = { history: [], initial: 'PENDING', caller, businessId, nowSeconds };
  const statuses = extendHistory({ ...history, incoming: input.statuses, allowed: ORDER_STATUSES });
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

function findCurrency(
  input: OrderInput,
  market: Market | null,
  sellables: readonly Sellable[],
  errors: FieldError[],
): string {
  if (input.currency && market && !same(input.currency, market.currency)) {
    const message = `The currency of market ${market.id} is ${market.currency}.`;
    errors.push({ field: 'currency', error: 'CURRENCY_MISMATCH', message });
  }
  const listed = sellables.flatMap((each) => each.prices).find((price) => same(price.marketId, input.market));
  const currency = input.currency ?? market?.currency ?? listed?.currency;
  if (!currency) errors.push({ field: 'currency', error: 'REQUIRED', message: 'currency is required.' });
  return currency ?? '';
}
