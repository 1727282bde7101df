import { type Done, done, NoEffect, type PipelinedTransaction, pipeline } from '../../../context/command.ts';
import type { EventSource } from '../../../context/index.ts';
import { consumeCallLimit } from '../../../db/call-limits.ts';
import type { Tx } from '../../../db/sql.ts';
import type { BlockValue } from '../../../shared/blocks/index.ts';
import { conflict, type FieldError, invalid, notFound, unavailable } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { textsIn } from '../../../shared/mail/languages.ts';
import { systemStatus, userStatus } from '../../../shared/records/status-history.ts';
import type { Caller } from '../../../shared/security/caller.ts';
import { businessLanguage, getBusiness, isKnownCustomer, recordCustomer } from '../../businesses/index.ts';
import {
  type Attribution,
  type CartRow,
  cartChanged,
  closeCart,
  getCheckoutCart,
  isCounted,
} from '../../carts/index.ts';
import { takeStockOrAbort } from '../../catalog/index.ts';
import {
  closePayment,
  findPayment,
  insertPayment,
  openSession,
  type PaymentRow,
  preparePayment,
} from '../../payments/index.ts';
import {
  cartRequestOf,
  honorQuote,
  isCard,
  type Priced,
  priceCartRequest,
  promoUsedUp,
  usePromoOrAbort,
} from '../../pricing/index.ts';
import { withAccount } from '../bank-transfer/account.ts';
import { command, type Steps } from '../context.ts';
import { firstInvoice, issueWithOrder, withDocuments } from '../documents/issue-documents.ts';
import type { NewDocument } from '../documents/queries.ts';
import { countMail, mailTask } from '../mails/order-mails.ts';
import { type NewOrder, ORDER_PURPOSE, paymentLines } from '../order.ts';
import { checkOrderBlocks } from '../order-blocks.ts';
import { insertOrder } from '../queries.ts';
import { withFulfillment } from '../shipments/fulfillment.ts';
import { promoUse, stockErrors, stockMove } from '../stock.ts';
import { insertTask, type NewTask } from '../task-queries.ts';
import { vatTask } from '../vat-check.ts';
import { expiryOf } from './expiry.ts';
import type { CheckoutInput, CheckoutResult } from './schemas.ts';

/** Input of the transaction. */
type Prepared = {
  order: NewOrder;
  /** Null if no payment provider is involved. */
  payment: PaymentRow | null;
  /** At least one variant has a low-stock threshold. */
  isWatched: boolean;
  tasks: NewTask[];
  /** Set for an order with nothing to pay. */
  invoice: NewDocument | null;
  /** The field name the request used for its items: `items` or `lines`. */
  field: string;
  /** The business already has a record of the customer. */
  isKnown: boolean;
  /** The customer's account. */
  caller: Caller;
  /** The name and email that a guest entered. */
  typed: { name: string | null; email: string | null };
  /** The cart that the order closes. Null if the request had items. */
  cart: CartRow | null;
  source: EventSource;
};

type Placed = { orderId: string };

/**
 * Places an order. `prepare` reads and prices everything. One transaction then deducts the stock, uses the promo code and writes the
 * order; its statements recheck everything that may have changed since. The payment session is opened after the commit.
 * A retry with the same Idempotency-Key finds the order, even if the first response was lost.
 */
export const checkout = command({ prepare: prepareOrder, execute: pipeline(placeOrder), afterCommit: openPayment });

export async function prepareOrder(ctx: Steps, sent: CheckoutRequest): Promise<Prepared> {
  await consumeCallLimit(ctx, 'checkout');
  const redirectUrls = checkInput(ctx, sent);
  const cart = sent.cartId ? await getCheckoutCart(ctx, { id: sent.cartId, secret: sent.cartSecret }) : null;
  const input = cart ? withCart(sent, cart) : sent;
  const request = cartRequestOf(input, { forCheckout: true });
  const [{ priced, isWatched }, isKnown] = await Promise.all([
    input.quoteId ? honorQuote(ctx, input.quoteId, request) : priceCartRequest(ctx, request),
    isKnownCustomer(ctx, ctx.caller.userId),
  ]);
  const blocks = await checkOrderBlocks(ctx, input.blocks ?? [], { customerId: ctx.caller.userId });
  const attribution = attributionOf(ctx, sent, cart);
  const placed = await withAccount(ctx, newOrder(ctx, input, priced, blocks, { cartId: cart?.id, attribution }));
  const payment = await paymentOf(ctx, placed, redirectUrls);
  // An order with a payment is confirmed by email once it is paid.
  const order = payment ? placed : { ...placed, doc: countMail(placed.doc, 'RECEIVED')! };
  const mail = payment ? null : mailTask(order, 'RECEIVED', ctx.now);
  const tasks = [expiryOf(ctx, order), mail, vatTask(order, ctx.now)].filter((task) => task !== null);
  const { billingAddress, shippingAddress } = order.doc;
  const name = input.name || billingAddress?.name || shippingAddress?.name || null;
  const typed = { name, email: order.customerEmail };
  const invoice = firstInvoice(order, await getBusiness(ctx, ctx.businessId), ctx.now);
  const { field } = request;
  return { order, payment, isWatched, tasks, invoice, field, isKnown, caller: ctx.caller, typed, cart, source: ctx };
}

/**
 * Takes one round trip, so PostgreSQL never holds locks while it waits for us. The counter of order numbers comes last, because all
 * orders of the business wait for its lock.
 */
export function placeOrder({
  order,
  payment,
  isWatched,
  tasks,
  invoice,
  field,
  isKnown,
  caller,
  typed,
  cart,
  source,
}: Prepared): PipelinedTransaction<Placed | Done<CheckoutResult>> {
  const { id: orderId, businessId, customerId, createdAt, doc } = order;
  const eventCause: EventSource['eventCause'] = (tx) => source.eventCause(tx);
  const actor = (tx: Tx) => ({ db: tx, businessId, now: createdAt, eventCause });
  return {
    queue: businessId,
    statements: (tx) => [
      ...(cart ? closeCart(tx, cart, { orderId, now: createdAt, source }) : []),
      ...(isKnown ? [] : [recordCustomer(actor(tx), caller, typed)]),
      ...takeStockOrAbort(tx, { ...stockMove({ now: createdAt, source }, order, customerId), isWatched }),
      ...(doc.promoId === null ? [] : usePromoOrAbort(tx, promoUse(order, doc.promoId))),
      ...(payment ? [insertPayment(tx, payment)] : []),
      ...tasks.map((task) => insertTask(tx, task)),
      ...insertOrder(tx, order, source),
      ...(invoice ? issueWithOrder(tx, invoice, source) : []),
    ],
    result: payment === null || payment.doc.url ? done(resultOf(order, payment?.doc.url)) : { orderId },
    refused: ({ reason, detail }) => {
      if (reason === 'CART_CHANGED') return cartChanged();
      const isShort = reason === 'INSUFFICIENT_STOCK';
      return invalid(isShort ? stockErrors(doc.lines, JSON.parse(detail), field) : [promoUsedUp('promoCode')]);
    },
  };
}

/**
 * Opens the payment session. If the provider fails, the order is canceled. Of several requests with the same Idempotency-Key, the first
 * that stores a session or cancels the order decides for all.
 */
async function openPayment(ctx: Steps, { orderId }: Placed): Promise<CheckoutResult> {
  const payment = await findPayment(ctx.db, ctx.businessId, orderId);
  if (!payment) throw notFound('Payment');
  if (payment.status === 'CLOSED') {
    if (payment.sessionId === null) throw new NoEffect(unavailable('The payment could not be started. Try again.'));
    throw conflict('The order created with this Idempotency-Key was canceled.');
  }
  try {
    return { orderId, checkoutUrl: await openSession(ctx, payment) };
  } catch (error) {
    if (await ctx.transaction((tx) => closePayment(tx, payment))) throw new NoEffect(error);
    return openPayment(ctx, { orderId });
  }
}

/** `cartSecret`: the header of the request. */
type CheckoutRequest = CheckoutInput & { cartSecret?: string | undefined };

/** Fields that the request omits are taken from the cart. */
function withCart(sent: CheckoutInput, { email, doc }: CartRow): CheckoutInput {
  const { pickupLocationId, shippingMethodId, shippingAddress, billingAddress, promoCode, locale } = doc;
  const items = doc.items.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));
  const chosen = { email, pickupLocationId, shippingMethodId, shippingAddress, billingAddress, promoCode, locale };
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  return { ...chosen, ...given, items } as CheckoutInput;
}

/** The send whose link the customer followed last, if that was recent. */
function attributionOf({ carts, businessId, now }: Steps, { soukRef }: CheckoutInput, cart: CartRow | null) {
  const attribution = (soukRef && carts.references.read(businessId, soukRef, now)) || cart?.doc.attribution;
  return attribution && isCounted(attribution, now) ? attribution : null;
}

type RedirectUrls = { returnUrl: string | null; cancelUrl: string | null };

function checkInput({ businessId, origins }: Steps, input: CheckoutInput): RedirectUrls {
  const errors: FieldError[] = [];
  if (input.businessId !== undefined && input.businessId !== businessId) {
    errors.push({
      field: 'businessId',
      error: 'INVALID_VALUE',
      message: 'businessId must match the business in the URL.',
    });
  }
  const redirectUrl = (field: 'returnUrl' | 'cancelUrl') => {
    if (!input[field]) return null;
    const url = origins.linkBase(input[field], businessId);
    if (!url) errors.push({ field, error: 'INVALID_REDIRECT_URI', message: `${field} must be on an allowed origin.` });
    return url?.href ?? null;
  };
  const redirectUrls = { returnUrl: redirectUrl('returnUrl'), cancelUrl: redirectUrl('cancelUrl') };
  if (errors.length > 0) throw invalid(errors);
  return redirectUrls;
}

export function newOrder(
  { caller, businessId, now }: Pick<Steps, 'caller' | 'businessId' | 'now'>,
  { paymentMethod, email, locale = null }: Pick<CheckoutInput, 'paymentMethod' | 'email' | 'locale'>,
  priced: Priced,
  blocks: BlockValue[],
  { cartId, attribution }: { cartId?: string | undefined; attribution?: Attribution | null } = {},
): NewOrder {
  const isFree = priced.total === 0;
  const ownEmail = caller.email?.toLowerCase() ?? null;
  const typedEmail = email?.toLowerCase() ?? ownEmail;
  const placed = userStatus('PENDING', caller, now);
  const statuses = isFree ? [placed, systemStatus('PROCESSING', now)] : [placed];
  const paymentStatus = [userStatus('PENDING', caller, now), ...(isFree ? [systemStatus('PAID', now)] : [])];
  const order: NewOrder = {
    businessId,
    id: newId('ord'),
    status: statuses.at(-1)!.status,
    paymentStatus: paymentStatus.at(-1)!.status,
    customerId: caller.userId,
    customerEmail: typedEmail,
    holds: true,
    paid: 0,
    refunded: 0,
    doc: {
      ...priced,
      paymentMethod,
      locale,
      blocks,
      statuses,
      paymentStatus,
      ...(typedEmail === ownEmail ? {} : { isEmailTyped: true }),
      ...(cartId === undefined ? {} : { cartId }),
      ...(attribution ? { attribution: { sendId: attribution.sendId } } : {}),
    },
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  return { ...order, doc: withDocuments(withFulfillment(order)) };
}

/** Null if nothing is paid through a provider. */
export async function paymentOf(ctx: Steps, order: NewOrder, redirectUrls: RedirectUrls): Promise<PaymentRow | null> {
  const { businessId, id, doc } = order;
  if (doc.total === 0 || !isCard(doc.paymentMethod ?? '')) return null;
  const business = await getBusiness(ctx, businessId);
  const language = businessLanguage(business, doc.locale);
  return preparePayment(ctx, id, {
    businessId,
    purpose: ORDER_PURPOSE,
    reference: id,
    amount: doc.total,
    currency: doc.currency,
    description: textsIn(language).order.payment(business.name),
    lines: paymentLines(doc, language),
    email: order.customerEmail,
    language,
    ...redirectUrls,
  });
}

function resultOf({ id: orderId, doc }: NewOrder, checkoutUrl: string | undefined): CheckoutResult {
  if (checkoutUrl) return { orderId, checkoutUrl };
  return { orderId, status: doc.total === 0 ? 'COMPLETED' : 'PENDING' };
}
