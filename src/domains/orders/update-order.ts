import type { Versioned } from '../../context/index.ts';
import { conflict, invalid, invalidField, notFound } from '../../shared/errors.ts';
import { extendHistory } from '../../shared/statuses.ts';
import { findUser } from '../accounts/index.ts';
import { listSellables, moveStock, type StockLine } from '../catalog/index.ts';
import { lockPayment, updateAmount } from '../payments/index.ts';
import { checkOrderBlocks } from './blocks.ts';
import type { Command } from './context.ts';
import { emailOf } from './create-order.ts';
import { nameLines } from './manual-lines.ts';
import { type OrderDoc, type OrderRow, paymentLines, versioned } from './order.ts';
import { moveOf, stockProblems } from './order-stock.ts';
import { lockOrder } from './queries.ts';
import { ORDER_STATUSES, type Order, type OrderUpdate, PAYMENT_STATUSES } from './schemas.ts';
import { addUp } from './totals.ts';
import { addStatuses } from './transitions.ts';

const WITH_MONEY = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];

/** Changes what was sent. Other lines move the stock by the difference; what was paid for stays as it is. */
export async function updateOrder(ctx: Command, input: OrderUpdate): Promise<Versioned<Order>> {
  const order = await lockOrder(ctx.db, ctx.businessId, input.id);
  if (!order) throw notFound('Order');
  ctx.checkVersion(order.version);
  const doc = await changeDocument(ctx, order, input);
  const next = await changeCustomer(ctx, { ...order, doc }, input.customerId);
  const added = addedStatuses(ctx, order, input);
  if (isMoneyChanged(order.doc, next.doc)) {
    if (WITH_MONEY.includes(order.paymentStatus)) throw conflict('A paid order keeps its lines and its sums.');
    await changePayment(ctx, next);
  }
  if (order.holds) await moveDifference(ctx, order, next);
  return versioned(await addStatuses(ctx, next, added, ctx.caller.userId));
}

async function changeCustomer(ctx: Command, order: OrderRow, customerId: string | undefined): Promise<OrderRow> {
  if (customerId === undefined || customerId === order.customerId) return order;
  const customer = await findUser(ctx.db, customerId);
  if (!customer) throw invalidField('customerId', 'NOT_FOUND', 'There is no such user.');
  return {
    ...order,
    customerId: customer.id,
    customerEmail: await emailOf(ctx, customer),
    doc: { ...order.doc, promoUserId: order.doc.promoUserId ?? order.customerId },
  };
}

async function changeDocument(ctx: Command, order: OrderRow, input: OrderUpdate): Promise<OrderDoc> {
  const doc = { ...order.doc };
  if (input.blocks !== undefined) doc.blocks = await checkOrderBlocks(ctx, input.blocks);
  if (input.shippingMethodId !== undefined) doc.shippingMethodId = input.shippingMethodId;
  if (input.paymentMethod !== undefined) doc.paymentMethod = input.paymentMethod;
  const { lines, subtotal, tax, shipping, discount, total } = input;
  if ([lines, subtotal, tax, shipping, discount, total].every((each) => each === undefined)) return doc;

  const sellables = await listSellables(ctx.db, order.businessId, lines ?? []);
  const named = nameLines(lines ?? doc.lines.map((line) => ({ ...line, type: 'PRODUCT_VARIANT' as const })), {
    sellables,
    former: doc.lines,
    market: doc.market,
  });
  if (named.errors.length > 0) throw invalid(named.errors);
  const items = named.lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, 0);
  const sums = addUp(
    named.lines,
    {
      subtotal: subtotal ?? (lines ? undefined : doc.subtotal),
      tax: tax ?? (lines ? undefined : doc.tax),
      shipping: shipping ?? doc.shipping,
      discount: discount ?? Math.min(doc.discount, items + (shipping ?? doc.shipping)),
      total,
    },
    doc,
  );
  if ('errors' in sums) throw invalid(sums.errors);
  const { lines: parts, ...totals } = sums.totals;
  return { ...doc, ...totals, lines: named.lines.map((line, i) => ({ ...line, ...parts[i]! })) };
}

function isMoneyChanged(before: OrderDoc, after: OrderDoc): boolean {
  const figures = ({ lines, subtotal, tax, shipping, discount, total }: OrderDoc) =>
    JSON.stringify([
      lines.map(({ productId, variantId, quantity, unitPrice }) => [productId, variantId, quantity, unitPrice]),
      [subtotal, tax, shipping, discount, total],
    ]);
  return figures(before) !== figures(after);
}

/** A page of our own shows the new amount; a provider's page would go on asking for the old one. */
async function changePayment({ db: tx, now }: Command, { businessId, id, doc }: OrderRow): Promise<void> {
  const payment = await lockPayment(tx, businessId, id);
  if (payment?.status !== 'OPEN' || payment.amount === doc.total) return;
  if (payment.provider !== 'SANDBOX') {
    throw conflict('The customer may be paying for this order at this moment. Change it once that payment has ended.');
  }
  await updateAmount(tx, payment, doc.total, paymentLines(doc), now);
}

/** One move, so that all rows are locked in their order, those that are taken from and those that get something back. */
async function moveDifference(ctx: Command, before: OrderRow, after: OrderRow): Promise<void> {
  const taken = after.doc.lines.map((line): StockLine => ({ ...line, quantity: -line.quantity }));
  const lines = [...before.doc.lines, ...taken];
  const lacking = await moveStock(ctx.db, { ...moveOf(ctx, before, ctx.caller.userId), lines });
  if (lacking.length > 0) throw invalid(stockProblems(after.doc.lines, lacking, 'lines'));
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
