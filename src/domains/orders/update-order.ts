import { isDeepStrictEqual } from 'node:util';
import type { Versioned } from '../../context/index.ts';
import { conflict, invalid, invalidField, notFound } from '../../shared/errors.ts';
import { extendHistory } from '../../shared/statuses.ts';
import { findUser } from '../accounts/index.ts';
import { moveStock, type StockLine } from '../catalog/index.ts';
import { lockPayment, updateAmount } from '../payments/index.ts';
import { promoUsedUp, returnPromo, usePromo } from '../pricing/index.ts';
import { changeDocument } from './change-document.ts';
import type { Command } from './context.ts';
import { emailOf, withEmail } from './create-order.ts';
import { type OrderDoc, type OrderRow, paymentLines, versioned } from './order.ts';
import { moveOf, stockProblems, useOf } from './order-stock.ts';
import { lockOrder } from './queries.ts';
import { ORDER_STATUSES, type Order, type OrderUpdate, PAYMENT_STATUSES } from './schemas.ts';
import { addStatuses } from './transitions.ts';

const WITH_MONEY = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];

/** Changes what was sent. Other lines move the stock by the difference; what was paid for stays as it is. */
export async function updateOrder(ctx: Command, input: OrderUpdate): Promise<Versioned<Order>> {
  const order = await lockOrder(ctx.db, ctx.businessId, input.id);
  if (!order) throw notFound('Order');
  ctx.checkVersion(order.version);
  const doc = await changeDocument(ctx, order, input);
  // An order that is sent back with another customer has the former one's address in it.
  const typed = input.email?.toLowerCase() === order.customerEmail ? undefined : input.email;
  const next = withEmail(await changeCustomer(ctx, { ...order, doc }, input.customerId), typed);
  const added = addedStatuses(ctx, order, input);
  const isChanged = !isDeepStrictEqual(next, order) || added.statuses.length > 0 || added.paymentStatus.length > 0;
  if (!isChanged) return versioned(order, ctx.caller);
  if (isMoneyChanged(order.doc, next.doc)) {
    if (WITH_MONEY.includes(order.paymentStatus)) throw conflict('A paid order keeps its lines and its sums.');
    await changePayment(ctx, next);
  }
  // What is cancelled gives back what it has, in one move: a second one would lock stock behind stock and promo codes.
  if (order.holds && added.statuses.at(-1)?.status !== 'CANCELLED') {
    await moveDifference(ctx, order, next);
    await movePromo(ctx, order, next);
  }
  return versioned(await addStatuses(ctx, next, added, ctx.caller.userId, order), ctx.caller);
}

async function changeCustomer(ctx: Command, order: OrderRow, customerId: string | undefined): Promise<OrderRow> {
  if (customerId === undefined || customerId === order.customerId) return order;
  const customer = await findUser(ctx.db, customerId);
  if (!customer) throw invalidField('customerId', 'NOT_FOUND', 'There is no such user.');
  const { isEmailTyped: _, ...doc } = order.doc;
  return {
    ...order,
    customerId: customer.id,
    customerEmail: await emailOf(ctx, customer),
    doc: { ...doc, promoUserId: doc.promoUserId ?? order.customerId },
  };
}

function isMoneyChanged(before: OrderDoc, after: OrderDoc): boolean {
  const figures = ({ lines, subtotal, tax, shipping, discount, total, currency }: OrderDoc) =>
    JSON.stringify([
      lines.map(({ productId, variantId, quantity, unitPrice }) => [productId, variantId, quantity, unitPrice]),
      [subtotal, tax, shipping, discount, total, currency],
    ]);
  return figures(before) !== figures(after);
}

/** A page of our own shows the new amount; a provider's page would go on asking for the old one. */
async function changePayment({ db: tx, now }: Command, { businessId, id, doc }: OrderRow): Promise<void> {
  const payment = await lockPayment(tx, businessId, id);
  const isSame = payment?.amount === doc.total && payment.currency === doc.currency;
  if (payment?.status !== 'OPEN' || isSame) return;
  if (payment.provider !== 'SANDBOX') {
    throw conflict('The customer may be paying for this order at this moment. Change it once that payment has ended.');
  }
  await updateAmount(tx, payment, { amount: doc.total, currency: doc.currency, lines: paymentLines(doc) }, now);
}

/** One move, so that all rows are locked in their order, those that are taken from and those that get something back. */
async function moveDifference(ctx: Command, before: OrderRow, after: OrderRow): Promise<void> {
  const taken = after.doc.lines.map((line): StockLine => ({ ...line, quantity: -line.quantity }));
  const lines = [...before.doc.lines, ...taken];
  const lacking = await moveStock(ctx.db, {
    ...moveOf({ now: ctx.now, source: ctx }, before, ctx.caller.userId),
    lines,
  });
  if (lacking.length > 0) throw invalid(stockProblems(after.doc.lines, lacking, 'lines'));
}

/** The use of another promo code is taken, and that of the former given back. Locked in the order of their ids. */
async function movePromo(ctx: Command, before: OrderRow, after: OrderRow): Promise<void> {
  const [from, to] = [before.doc.promoId, after.doc.promoId];
  if (from === to) return;
  const giveBack = async () => from !== null && (await returnPromo(ctx.db, useOf(before, from)));
  const take = async () => {
    if (to !== null && !(await usePromo(ctx.db, useOf(after, to)))) throw invalid([promoUsedUp('promoCode')]);
  };
  const steps = [giveBack, take];
  if ((to ?? '') < (from ?? '')) steps.reverse();
  for (const step of steps) await step();
}

/** Only what is new: the histories themselves stay as they are. */
function addedStatuses({ caller, now: nowSeconds }: Command, { businessId, doc }: OrderRow, input: OrderUpdate) {
  const options = { initial: 'PENDING', caller, businessId, nowSeconds };
  const statuses = extendHistory({
    ...options,
    history: doc.statuses,
    incoming: input.statuses,
    allowed: ORDER_STATUSES,
  });
  const paymentStatus = extendHistory({
    ...options,
    history: doc.paymentStatus,
    incoming: input.paymentStatus,
    allowed: PAYMENT_STATUSES,
    field: 'paymentStatus',
  });
  return {
    statuses: statuses.slice(doc.statuses.length),
    paymentStatus: paymentStatus.slice(doc.paymentStatus.length),
  };
}
