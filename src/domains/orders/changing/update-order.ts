import { isDeepStrictEqual } from 'node:util';
import type { Versioned } from '../../../context/index.ts';
import { conflict, invalid, invalidField, notFound, ServiceError } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/mail/languages.ts';
import { extendHistory } from '../../../shared/records/status-history.ts';
import { lockPayment, updateAmount } from '../../payments/index.ts';
import { addressOf } from '../../pricing/index.ts';
import { withAccount } from '../bank-transfer/account.ts';
import { type Command, command } from '../context.ts';
import { findOrderCustomer, withEmail } from '../customer-email.ts';
import { shortenUnstocked } from '../money/unstocked.ts';
import { amountDue, type OrderDoc, type OrderRow, paymentLines, versioned } from '../order.ts';
import { checkOrderBlocks } from '../order-blocks.ts';
import { renewExpiry } from '../placing/expiry.ts';
import { findOrder, lockOrder } from '../queries.ts';
import { ORDER_STATUSES, type Order, PAYMENT_STATUSES } from '../schemas.ts';
import { checkShipped } from '../shipments/fulfillment.ts';
import { shippingStatus } from '../shipments/shipping-status.ts';
import { moveByDifference } from '../stock.ts';
import { insertTask } from '../task-queries.ts';
import { vatTask } from '../vat-check.ts';
import { checkAssignee } from '../work/staff.ts';
import { replaceTags, tidyTags } from '../work/tags.ts';
import { applyStatuses } from './apply-statuses.ts';
import { type Repriced, repriceOrder } from './reprice-order.ts';
import type { OrderUpdate } from './schemas.ts';

const PAID_STATUSES = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];

type Prepared = { input: OrderUpdate; version: OrderRow['version']; price: Repriced | null };

/**
 * Updates the fields in the request. Sending an order back unchanged has no effect. `prepare` prices the order, and the transaction throws
 * `OrderChanged` if that price is outdated.
 */
export const updateOrder = command({
  async prepare(ctx, input: OrderUpdate): Promise<Prepared> {
    const order = await findOrder(ctx.db, ctx.businessId, input.id);
    if (!order) throw notFound('Order');
    return { input, version: order.version, price: await repriceOrder(ctx, order, input) };
  },
  execute: writeOrder,
});

/** The order must be priced again. */
class OrderChanged extends ServiceError {
  constructor() {
    super('CONFLICT', 'Someone else edited the order. Try again.');
  }
}

export const isOrderChanged = (error: unknown) => error instanceof OrderChanged;

async function writeOrder(ctx: Command, { input, version, price }: Prepared): Promise<Versioned<Order>> {
  const { userId } = ctx.caller;
  const order = await lockOrder(ctx.db, ctx.businessId, input.id);
  if (!order) throw notFound('Order');
  ctx.checkVersion(order.version);
  if (order.version !== version) throw new OrderChanged();

  const details = await changeDetails(ctx, order.doc, input);
  const changed = { ...order, doc: shortenUnstocked(order.doc, { ...details, ...price }) };
  const next = await changeCustomer(ctx, await withAccount(ctx, changed), input);
  const added = newStatuses(ctx, order, input);
  const hasNewStatus = added.statuses.length > 0 || added.paymentStatus.length > 0;
  const tracking = isDeepStrictEqual(input.tracking ?? undefined, order.doc.tracking) ? undefined : input.tracking;
  if (!hasNewStatus && tracking === undefined && isDeepStrictEqual(next, order)) return versioned(order, ctx.caller);

  if (hasAmountChanged(order.doc, next.doc)) {
    if (PAID_STATUSES.includes(order.paymentStatus))
      throw conflict("A paid order's items and totals can't be changed.");
    const errors = checkShipped(next);
    if (errors.length > 0) throw invalid(errors);
    await updatePayment(ctx, next);
  }
  const task = order.doc.vatCheck === 'UNCHECKED' ? null : vatTask(next, ctx.now);
  if (task) ctx.issue(insertTask(ctx.db, task));
  if (next.doc.paymentMethod !== order.doc.paymentMethod) await renewExpiry(ctx, next);
  if (next.doc.tags !== order.doc.tags) replaceTags(ctx, next);
  if (added.statuses.length === 0) added.statuses.push(...shippingStatus(ctx, next));
  // A canceled order returns all of its stock below. A second stock move would violate the lock order.
  const isCancelled = added.statuses.at(-1)?.status === 'CANCELLED';
  if (order.holds && !isCancelled) await moveByDifference(ctx, { before: order, after: next, userId });
  return versioned(await applyStatuses(ctx, next, { ...added, tracking, userId, before: order }), ctx.caller);
}

/** Custom fields, addresses, payment method, tags and assignee. */
async function changeDetails(ctx: Command, doc: OrderDoc, input: OrderUpdate): Promise<OrderDoc> {
  const next = { ...doc };
  const tags = input.tags && tidyTags(input.tags);
  if (tags && !isDeepStrictEqual(tags, doc.tags ?? [])) next.tags = tags;
  if (input.assignee !== undefined && input.assignee !== (doc.assignee ?? null)) {
    next.assignee = await checkAssignee(ctx, input.assignee);
  }
  if (input.blocks !== undefined && !isDeepStrictEqual(input.blocks, doc.blocks)) {
    next.blocks = await checkOrderBlocks(ctx, input.blocks, { customerId: null });
  }
  if (input.paymentMethod !== undefined) next.paymentMethod = input.paymentMethod;
  if (input.shippingAddress !== undefined) next.shippingAddress = addressOf(input.shippingAddress);
  if (input.billingAddress !== undefined) next.billingAddress = addressOf(input.billingAddress);
  if (input.pickupLocationId !== undefined) next.pickupLocationId = input.pickupLocationId;
  if (input.locale !== undefined) next.locale = input.locale;
  return next;
}

async function changeCustomer(ctx: Command, order: OrderRow, { customerId, email }: OrderUpdate): Promise<OrderRow> {
  // An unchanged email belongs to the previous customer.
  const typed = email?.toLowerCase() === order.customerEmail ? undefined : email;
  if (customerId === undefined || customerId === order.customerId) return withEmail(order, typed);
  const customer = await findOrderCustomer(ctx, customerId);
  if (!customer) throw invalidField('customerId', 'NOT_FOUND', 'Customer not found.');
  if (customer.id === order.customerId) return withEmail(order, typed);
  const { isEmailTyped: _, ...doc } = order.doc;
  const next = {
    ...order,
    customerId: customer.id,
    customerEmail: customer.email,
    doc: { ...doc, promoUserId: doc.promoUserId ?? order.customerId },
  };
  return withEmail(next, typed);
}

/** Entries that the order does not have yet. */
function newStatuses({ caller, now: nowSeconds }: Command, { businessId, doc }: OrderRow, input: OrderUpdate) {
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

function hasAmountChanged(before: OrderDoc, after: OrderDoc): boolean {
  const figures = ({ lines, subtotal, tax, shipping, discount, total, currency }: OrderDoc) =>
    JSON.stringify([
      lines.map(({ productId, variantId, quantity, unitPrice }) => [productId, variantId, quantity, unitPrice]),
      [subtotal, tax, shipping, discount, total, currency],
    ]);
  return figures(before) !== figures(after);
}

/** Our own payment page shows the new amount. A provider's page would still charge the old amount, so this throws 409. */
async function updatePayment({ db: tx, now }: Command, { businessId, id, doc }: OrderRow): Promise<void> {
  const payment = await lockPayment(tx, businessId, id);
  const amount = amountDue(doc);
  const isSame = payment?.amount === amount && payment.currency === doc.currency;
  if (payment?.status !== 'OPEN' || isSame) return;
  if (payment.provider !== 'SANDBOX') {
    throw conflict(
      'The customer may be paying for this order right now. Try again after the payment completes or expires.',
    );
  }
  const lines = paymentLines(doc, languageOf(payment.doc.language));
  await updateAmount(tx, payment, { amount, currency: doc.currency, lines }, now);
}
