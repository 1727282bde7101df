import { invalid } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { extendHistory, sentStatuses } from '../../../shared/records/status-history.ts';
import { getBusiness } from '../../businesses/index.ts';
import { listSellables } from '../../catalog/index.ts';
import { addressesOf, findPromoByCode } from '../../pricing/index.ts';
import { withAccount } from '../bank-transfer/account.ts';
import { BANK_TRANSFER } from '../bank-transfer/instructions.ts';
import type { OrderInput } from '../changing/schemas.ts';
import { isAwaitingPayment } from '../changing/transitions.ts';
import { type Command, command, type Steps } from '../context.ts';
import { findOrderCustomer, withEmail } from '../customer-email.ts';
import { firstInvoice, issueWithOrder, withDocuments } from '../documents/issue-documents.ts';
import { countMail, insertMail } from '../mails/order-mails.ts';
import { type Cart, priceOrder, totalsOf } from '../money/price-order.ts';
import type { PricingFacts } from '../money/price-terms.ts';
import { callProviders, type ProviderResults, storedProviderResults } from '../money/provider-results.ts';
import { reportTax } from '../money/tax-reports.ts';
import { type NewOrder, viewOrder } from '../order.ts';
import { checkOrderBlocks } from '../order-blocks.ts';
import { findLastNumber, insertOrder } from '../queries.ts';
import { ORDER_STATUSES, type Order, PAYMENT_STATUSES } from '../schemas.ts';
import { withFulfillment } from '../shipments/fulfillment.ts';
import { takeForOrder } from '../stock.ts';
import { insertTask } from '../task-queries.ts';
import { vatTask } from '../vat-check.ts';
import { insertTags } from '../work/queries.ts';
import { checkAssignee } from '../work/staff.ts';
import { tagRows, tidyTags } from '../work/tags.ts';
import { expiryOf } from './expiry.ts';

/**
 * Creates an order on behalf of staff. It is priced, deducts stock and counts the promo code like a checkout, in any market, but starts no
 * payment. Totals entered by staff are kept and must add up.
 */
export const createOrder = command({
  prepare: (ctx, input: OrderInput) =>
    draftOrder(ctx, input, (cart, facts, customerId) => callProviders(ctx, cart, facts, customerId)),
  execute: placeOrder,
});

/** Creates an order within an existing transaction, which can't wait for providers. `results` come from `providerResultsFor`. */
export const createOrderWithin = async (
  ctx: Command,
  input: OrderInput,
  results: ProviderResults | null,
): Promise<Order> =>
  placeOrder(
    ctx,
    await draftOrder(ctx, input, async (cart, facts) => results ?? storedProviderResults(ctx, cart, facts)),
  );

/** Calls the providers. Call it before the transaction of `createOrderWithin`. */
export async function providerResultsFor(ctx: Steps, input: OrderInput): Promise<ProviderResults | null> {
  let results: ProviderResults | null = null;
  await draftOrder(ctx, input, async (cart, facts, customerId) => {
    results = await callProviders(ctx, cart, facts, customerId);
    return results;
  });
  return results;
}

type CallProviders = (
  cart: Cart,
  facts: Omit<PricingFacts, keyof ProviderResults>,
  customerId: string,
) => Promise<ProviderResults>;

async function draftOrder(ctx: Command | Steps, input: OrderInput, call: CallProviders): Promise<NewOrder> {
  const { businessId, now: nowSeconds } = ctx;
  const cart = cartOf(input);
  const customer = await findOrderCustomer(ctx, input.customerId);
  const customerId = customer?.id ?? input.customerId;
  const [{ configs }, sellables, promo, blocks] = await Promise.all([
    getBusiness(ctx, businessId),
    listSellables(ctx.db, businessId, cart.lines, ctx.publicUrl()),
    cart.promoCode ? findPromoByCode(ctx.db, businessId, cart.promoCode.toLowerCase(), customerId) : null,
    checkOrderBlocks(ctx, input.blocks ?? [], { customerId: null }),
  ]);
  const facts = { configs, sellables, promo, previous: null, nowSeconds };
  const result = priceOrder(cart, { ...facts, ...(await call(cart, facts, customerId)) });
  const errors = 'errors' in result ? result.errors : [];
  if (!customer) errors.push({ field: 'customerId', error: 'NOT_FOUND', message: 'Customer not found.' });
  if ('errors' in result || !customer) throw invalid(errors);

  const order = newOrder(
    ctx,
    { ...input, customerId },
    {
      ...result.priced,
      blocks,
      ...(input.tracking ? { tracking: input.tracking } : {}),
      paymentMethod: input.paymentMethod ?? null,
      locale: input.locale ?? null,
      ...(input.tags?.length ? { tags: tidyTags(input.tags) } : {}),
      ...(input.assignee ? { assignee: await checkAssignee(ctx, input.assignee) } : {}),
    },
  );
  const payable = await withAccount(ctx, order);
  const confirmed = { ...payable, customerEmail: customer.email, doc: countMail(payable.doc, 'RECEIVED')! };
  return withEmail(confirmed, input.email ?? undefined);
}

const cartOf = (input: OrderInput): Cart => ({
  market: input.market,
  currency: input.currency ?? null,
  shippingMethodId: input.shippingMethodId || null,
  pickupLocationId: input.pickupLocationId ?? null,
  ...addressesOf(input),
  promoCode: input.promoCode?.trim() || null,
  lines: input.lines,
  totals: totalsOf(input),
});

/** The number comes last, because all orders of the business wait for the lock on its counter. */
async function placeOrder(ctx: Command, order: NewOrder): Promise<Order> {
  if (order.holds) {
    const errors = await takeForOrder(ctx, order, ctx.caller.userId);
    if (errors.length > 0) throw invalid(errors);
  }
  insertMail(ctx, order, 'RECEIVED');
  const isTransfer = order.doc.paymentMethod === BANK_TRANSFER && isAwaitingPayment(order);
  for (const task of [isTransfer ? expiryOf(ctx, order) : null, vatTask(order, ctx.now)]) {
    if (task) ctx.issue(insertTask(ctx.db, task));
  }
  if (order.paymentStatus === 'PAID') await reportTax(ctx, order.id);
  const invoice = firstInvoice(order, await getBusiness(ctx, order.businessId), ctx.now);
  await Promise.all(insertOrder(ctx.db, order, ctx));
  if (invoice) for (const statement of issueWithOrder(ctx.db, invoice, ctx)) ctx.issue(statement);
  const rows = tagRows(order);
  if (rows.length > 0) await insertTags(ctx.db, order.businessId, rows);
  const number = await findLastNumber(ctx.db, order.businessId);
  return viewOrder({ ...order, number }, ctx.caller);
}

function newOrder(
  { caller, businessId, now: nowSeconds }: Command | Steps,
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
  const order: NewOrder = {
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
  return { ...order, doc: withDocuments(withFulfillment(order)) };
}
