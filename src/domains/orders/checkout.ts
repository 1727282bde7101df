import { type Done, done, type EventSource, NothingDone, type Trip, type TripOf } from '../../context/index.ts';
import { spendLimit } from '../../db/call-limits.ts';
import type { Tx } from '../../db/sql.ts';
import type { BlockValue } from '../../shared/blocks.ts';
import { conflict, type FieldError, invalid, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { systemStatus, userStatus } from '../../shared/statuses.ts';
import { getBusiness, isKnownCustomer, recordCustomer } from '../businesses/index.ts';
import { takeStockOrAbort } from '../catalog/index.ts';
import {
  closePayment,
  findPayment,
  insertPayment,
  openSession,
  type PaymentRow,
  preparePayment,
} from '../payments/index.ts';
import {
  honourQuote,
  isCard,
  type Priced,
  priceWanted,
  promoUsedUp,
  usePromoOrAbort,
  wantedOf,
} from '../pricing/index.ts';
import { checkOrderBlocks } from './blocks.ts';
import type { OrderServices, Steps } from './context.ts';
import { expiryOf } from './expiry.ts';
import { mailTask } from './mails.ts';
import { type NewOrder, ORDER_PURPOSE, paymentLines } from './order.ts';
import { moveOf, stockProblems, useOf } from './order-stock.ts';
import { insertOrder } from './queries.ts';
import type { CheckoutInput, CheckoutResult } from './schemas.ts';
import { insertTask, type NewTask } from './task-queries.ts';

/** Everything that the transaction writes. */
type Prepared = {
  order: NewOrder;
  /** Null: nothing is to be paid through a provider. */
  payment: PaymentRow | null;
  /** Some of it is told when it runs low. */
  isWatched: boolean;
  tasks: NewTask[];
  /** What the request called its items. */
  field: string;
  /** The business has a record of the customer, so none is made. */
  isKnown: boolean;
  /** The customer's own, confirmed. */
  accountEmail: string | null;
  source: EventSource;
};

type Placed = { orderId: string };

/**
 * Places an order. Everything is read and priced first; then one transaction takes the stock, uses the promo code and writes
 * the order, and re-checks in its statements what may have changed since. Only after the commit is the provider asked for a
 * payment session. A repeat with the same key finds the order, whatever became of the first answer.
 */
export const checkout: TripOf<OrderServices, CheckoutInput, Prepared, Placed, CheckoutResult> = {
  prepare,
  trip,
  afterCommit,
};

async function prepare(ctx: Steps, input: CheckoutInput): Promise<Prepared> {
  await spendLimit(ctx, 'checkout');
  const addresses = checkInput(ctx, input);
  const wanted = wantedOf(input, { forCheckout: true });
  const [{ priced, isWatched }, isKnown] = await Promise.all([
    input.quoteId ? honourQuote(ctx, input.quoteId, wanted) : priceWanted(ctx, wanted),
    isKnownCustomer(ctx, ctx.caller.userId),
  ]);
  const blocks = await checkOrderBlocks(ctx, input.blocks ?? [], { fromCustomer: true });
  const order = newOrder(ctx, input, priced, blocks);
  const payment = await paymentOf(ctx, order, addresses);
  const tasks = [expiryOf(ctx, order), mailTask(order, 'RECEIVED', ctx.now)].filter((task) => task !== null);
  const accountEmail = ctx.caller.isConfirmed ? ctx.caller.email : null;
  return { order, payment, isWatched, tasks, field: wanted.field, isKnown, accountEmail, source: ctx };
}

/**
 * Locks are held while PostgreSQL works and never while it waits for us; the counter of the order's number, which all orders
 * of the business share, comes last.
 */
function trip({
  order,
  payment,
  isWatched,
  tasks,
  field,
  isKnown,
  accountEmail,
  source,
}: Prepared): Trip<Placed | Done<CheckoutResult>> {
  const { id: orderId, businessId, customerId, createdAt, doc } = order;
  const eventsFrom: EventSource['eventsFrom'] = (tx, rows) => source.eventsFrom(tx, rows);
  const acting = (tx: Tx) => ({ db: tx, businessId, now: createdAt, eventsFrom });
  return {
    queue: businessId,
    statements: (tx) => [
      ...(isKnown ? [] : [recordCustomer(acting(tx), { userId: customerId, email: accountEmail })]),
      ...takeStockOrAbort(tx, { ...moveOf({ now: createdAt, source }, order, customerId), isWatched }),
      ...(doc.promoId === null ? [] : usePromoOrAbort(tx, useOf(order, doc.promoId))),
      ...(payment ? [insertPayment(tx, payment)] : []),
      ...tasks.map((task) => insertTask(tx, task)),
      ...insertOrder(tx, order, source),
    ],
    result: payment === null || payment.doc.url ? done(answerOf(order, payment?.doc.url)) : { orderId },
    refused: ({ reason, detail }) =>
      invalid(reason === 'LACKING' ? stockProblems(doc.lines, JSON.parse(detail), field) : [promoUsedUp('promoCode')]),
  };
}

/** Asks the provider for the session. When it does not answer, the order is cancelled. */
async function afterCommit(ctx: Steps, { orderId }: Placed): Promise<CheckoutResult> {
  const payment = await findPayment(ctx.db, ctx.businessId, orderId);
  if (!payment) throw notFound('Payment');
  if (payment.status === 'CLOSED') throw conflict('The order of this Idempotency-Key was cancelled.');
  try {
    return { orderId, checkoutUrl: await openSession(ctx, payment) };
  } catch (error) {
    await ctx.transaction((tx) => closePayment(tx, payment));
    throw new NothingDone(error);
  }
}

type Addresses = { returnUrl: string | null; cancelUrl: string | null };

function checkInput({ businessId, origins }: Steps, input: CheckoutInput): Addresses {
  const errors: FieldError[] = [];
  if (input.businessId !== undefined && input.businessId !== businessId) {
    errors.push({ field: 'businessId', error: 'INVALID_VALUE', message: 'businessId must be that of the address.' });
  }
  const address = (field: 'returnUrl' | 'cancelUrl') => {
    if (!input[field]) return null;
    const url = origins.linkBase(input[field]);
    if (!url) errors.push({ field, error: 'INVALID_REDIRECT_URI', message: `${field} is not on an allowed origin.` });
    return url?.href ?? null;
  };
  const addresses = { returnUrl: address('returnUrl'), cancelUrl: address('cancelUrl') };
  if (errors.length > 0) throw invalid(errors);
  return addresses;
}

function newOrder(
  { caller, businessId, now }: Steps,
  { paymentMethod, email }: CheckoutInput,
  priced: Priced,
  blocks: BlockValue[],
): NewOrder {
  const isFree = priced.total === 0;
  const ownEmail = caller.email?.toLowerCase() ?? null;
  const typedEmail = email?.toLowerCase() ?? ownEmail;
  const placed = userStatus('PENDING', caller, now);
  const statuses = isFree ? [placed, systemStatus('PROCESSING', now)] : [placed];
  const paymentStatus = [userStatus('PENDING', caller, now), ...(isFree ? [systemStatus('PAID', now)] : [])];
  return {
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
      ...{ ...priced, paymentMethod, blocks, statuses, paymentStatus },
      ...(typedEmail === ownEmail ? {} : { isEmailTyped: true }),
    },
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

async function paymentOf(ctx: Steps, order: NewOrder, addresses: Addresses): Promise<PaymentRow | null> {
  const { businessId, id, doc } = order;
  if (doc.total === 0 || !isCard(doc.paymentMethod ?? '')) return null;
  const { name } = await getBusiness(ctx, businessId);
  return preparePayment(ctx, id, {
    ...{ businessId, purpose: ORDER_PURPOSE, reference: id, amount: doc.total, currency: doc.currency },
    description: `Your order at ${name}`,
    lines: paymentLines(doc),
    email: order.customerEmail,
    ...addresses,
  });
}

function answerOf({ id: orderId, doc }: NewOrder, checkoutUrl: string | undefined): CheckoutResult {
  if (checkoutUrl) return { orderId, checkoutUrl };
  return { orderId, status: doc.total === 0 ? 'COMPLETED' : 'PENDING' };
}
