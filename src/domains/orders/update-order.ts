import type { Tx } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { conflict, invalid, invalidField, notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { extendHistory } from '../../shared/statuses.ts';
import { findUser } from '../accounts/index.ts';
import { listSellables, returnStock, type StockLine, takeStock } from '../catalog/index.ts';
import { stockProblems } from './basket.ts';
import { checkOrderBlocks } from './blocks.ts';
import type { OrdersContext } from './context.ts';
import { nameLines } from './manual-lines.ts';
import { type OrderDoc, type OrderRow, paymentLines, type StoredLine } from './order.ts';
import { lockPayment, updateAmount } from './payment-queries.ts';
import { lockOrder } from './queries.ts';
import { ORDER_STATUSES, type OrderUpdate, PAYMENT_STATUSES } from './schemas.ts';
import { addUp } from './totals.ts';
import { addStatuses } from './transitions.ts';

const WITH_MONEY = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];

/** Changes what was sent. Other lines move the stock by the difference; what was paid for stays as it is. */
export async function updateOrder(
  ctx: OrdersContext,
  tx: Tx,
  caller: Caller,
  businessId: string,
  input: OrderUpdate,
  ifMatch: string | undefined,
): Promise<OrderRow> {
  const order = await lockOrder(tx, businessId, input.id);
  if (!order) throw notFound('Order');
  checkIfMatch(ifMatch, order.version);
  const next = { ...order, doc: await changeDocument(ctx, tx, order, input) };
  if (input.customerId !== undefined && input.customerId !== order.customerId) {
    const customer = await findUser(tx, input.customerId);
    if (!customer) throw invalidField('customerId', 'NOT_FOUND', 'There is no such user.');
    Object.assign(next, { customerId: customer.id, customerEmail: customer.email?.toLowerCase() ?? null });
  }
  const added = addedStatuses(ctx, caller, order, input);
  if (isMoneyChanged(order.doc, next.doc)) {
    if (WITH_MONEY.includes(order.paymentStatus)) throw conflict('A paid order keeps its lines and its sums.');
    await changePayment(ctx, tx, next);
  }
  await moveDifference(ctx, tx, caller, order, next.doc.lines);
  return addStatuses(ctx, tx, next, added, caller.userId);
}

async function changeDocument(ctx: OrdersContext, tx: Tx, order: OrderRow, input: OrderUpdate): Promise<OrderDoc> {
  const doc = { ...order.doc };
  if (input.blocks !== undefined) doc.blocks = await checkOrderBlocks(ctx, order.businessId, input.blocks);
  if (input.shippingMethodId !== undefined) doc.shippingMethodId = input.shippingMethodId;
  if (input.paymentMethod !== undefined) doc.paymentMethod = input.paymentMethod;
  const { lines, subtotal, tax, shipping, discount, total } = input;
  if ([lines, subtotal, tax, shipping, discount, total].every((each) => each === undefined)) return doc;

  const sellables = await listSellables(tx, order.businessId, lines ?? []);
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
async function changePayment({ deps }: OrdersContext, tx: Tx, order: OrderRow): Promise<void> {
  const payment = await lockPayment(tx, order.businessId, order.id);
  if (payment?.status !== 'OPEN' || payment.amount === order.doc.total) return;
  if (payment.provider !== 'SANDBOX') {
    throw conflict('The customer may be paying for this order at this moment. Change it once that payment has ended.');
  }
  await updateAmount(tx, payment, order.doc.total, paymentLines(order.doc), deps.clock.seconds());
}

async function moveDifference(
  { deps }: OrdersContext,
  tx: Tx,
  caller: Caller,
  order: OrderRow,
  lines: readonly StoredLine[],
): Promise<void> {
  if (!order.holds) return;
  const changes = differences(order.doc.lines, lines);
  const move = {
    businessId: order.businessId,
    reference: order.id,
    userId: caller.userId,
    nowSeconds: deps.clock.seconds(),
  };
  const more = changes.filter((change) => change.quantity > 0);
  const less = changes.filter((change) => change.quantity < 0);
  const lacking = await takeStock(tx, { ...move, lines: more, reason: 'ORDER' });
  if (lacking.length > 0) throw invalid(stockProblems(lines, lacking, 'lines'));
  const back = less.map((change) => ({ ...change, quantity: -change.quantity }));
  await returnStock(tx, { ...move, lines: back, reason: 'ORDER' });
}

function differences(before: readonly StockLine[], after: readonly StockLine[]): StockLine[] {
  const changes = new Map<string, StockLine>();
  const add = (line: StockLine, sign: 1 | -1) => {
    const key = `${line.productId} ${line.variantId}`;
    const quantity = (changes.get(key)?.quantity ?? 0) + sign * line.quantity;
    changes.set(key, { productId: line.productId, variantId: line.variantId, quantity });
  };
  for (const line of after) add(line, 1);
  for (const line of before) add(line, -1);
  return [...changes.values()];
}

/** Only what is new: the histories themselves stay as they are. */
function addedStatuses({ deps }: OrdersContext, caller: Caller, order: OrderRow, input: OrderUpdate) {
  const { businessId, doc } = order;
  const options = { initial: 'PENDING', caller, businessId, nowSeconds: deps.clock.seconds() };
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
