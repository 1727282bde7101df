import { inTransaction } from '../../db/connection.ts';
import { claimKeyOrAbort, findKey, type IdempotencyKey, releaseKey, settleKey, tooLong } from '../../db/idempotency.ts';
import { Aborted, flushCommits } from '../../db/one-trip.ts';
import type { BlockValue } from '../../shared/blocks.ts';
import type { Caller } from '../../shared/caller.ts';
import { conflict, type FieldError, invalid, invalidField, unavailable } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { systemStatus, userStatus } from '../../shared/statuses.ts';
import { listSellables, takeStockOrAbort } from '../catalog/index.ts';
import { isCard, type Priced, stockProblems, type Wanted } from './basket.ts';
import { checkOrderBlocks } from './blocks.ts';
import type { OrdersContext } from './context.ts';
import { MAIL_JOB, mailJob } from './mails.ts';
import { type NewOrder, paymentLines } from './order.ts';
import { cancelUnpaid } from './order-payments.ts';
import { findPayment, insertPayment, type PaymentRow } from './payment-queries.ts';
import { usePromoOrAbort } from './promo-queries.ts';
import { PROMO_MESSAGES } from './promo-rules.ts';
import { insertOrder } from './queries.ts';
import { honourQuote, itemsOf, priceWanted, promoCodeOf } from './quote.ts';
import type { CheckoutInput, CheckoutResult } from './schemas.ts';

/**
 * Places an order. Everything is read and priced first; then one transaction takes the stock, uses the promo code and writes
 * the order, and re-checks in its statements what may have changed since. Only after the commit is the provider asked for a
 * payment session. A repeat with the same key finds the order, whatever became of the first answer.
 */
export async function checkout(
  ctx: OrdersContext,
  caller: Caller,
  businessId: string,
  input: CheckoutInput,
  key: IdempotencyKey | null,
): Promise<CheckoutResult> {
  const repeated = key && (await repeatAnswer(ctx, businessId, key));
  if (repeated) return repeated;
  const addresses = checkInput(ctx, businessId, input);
  const { blocks, priced } = await prepareOrder(ctx, caller, businessId, input);
  const order = newOrder(ctx, caller, businessId, input, priced, blocks);
  const payment = await preparePayment(ctx, order, caller, addresses);
  const answer = payment === null || payment.doc.url ? answerOf(order, payment?.doc.url) : null;

  const placed = await place(ctx, order, payment, key, answer, itemsOf(input).field);
  if (placed) return answer ?? finish(ctx, payment!, key);
  return (key && (await repeatAnswer(ctx, businessId, key))) ?? checkout(ctx, caller, businessId, input, key);
}

/**
 * The transaction, in one round trip. Locks are held while PostgreSQL works and never while it waits for us; the counter of
 * the order's number, which all orders of the business share, comes last. True: the order is placed. False: the key has been
 * used before.
 */
async function place(
  { deps, payments }: OrdersContext,
  order: NewOrder,
  payment: PaymentRow | null,
  key: IdempotencyKey | null,
  answer: CheckoutResult | null,
  field: string,
): Promise<boolean> {
  const { businessId, customerId: userId, createdAt: nowSeconds, id: reference, doc } = order;
  const jobs = await Promise.all([
    ...(payment ? [payments.prepareWatch(payment)] : []),
    ...(order.customerEmail ? [deps.jobs.prepare(MAIL_JOB, mailJob(order, 'RECEIVED'))] : []),
  ]);
  try {
    await deps.inOneTrip(businessId, (tx) => [
      ...(key ? claimKeyOrAbort(tx, key, { answer, reference }) : []),
      takeStockOrAbort(tx, { businessId, lines: doc.lines, reason: 'ORDER', reference, userId, nowSeconds }),
      ...(doc.promoId === null ? [] : [usePromoOrAbort(tx, { businessId, promoId: doc.promoId, userId })]),
      ...(payment ? [insertPayment(tx, payment)] : []),
      ...jobs.map((enqueue) => enqueue(tx)),
      insertOrder(tx, order),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof Aborted)) return tooLong(error);
    if (error.reason === 'REPEAT') return false;
    if (error.reason === 'LACKING') throw invalid(stockProblems(doc.lines, JSON.parse(error.detail), field));
    throw invalidField('promoCode', 'PROMO_USED_UP', PROMO_MESSAGES.PROMO_USED_UP);
  }
}

/** Asks the provider for the session. When it does not answer, the order is taken back and its key is free again. */
async function finish(ctx: OrdersContext, payment: PaymentRow, key: IdempotencyKey | null): Promise<CheckoutResult> {
  const { deps, payments } = ctx;
  let checkoutUrl: string;
  try {
    checkoutUrl = await payments.openSession(payment);
  } catch (error) {
    await inTransaction(deps.pool, async (tx) => {
      await cancelUnpaid(ctx, tx, payment);
      if (key) await releaseKey(tx, key, payment.id);
    });
    throw error;
  }
  const answer = { orderId: payment.id, checkoutUrl };
  if (key) await inTransaction(deps.pool, (tx) => settleKey(tx, key, answer));
  return answer;
}

/** What a former request with the key came to; null: there was none, or it came to nothing. */
async function repeatAnswer(
  ctx: OrdersContext,
  businessId: string,
  key: IdempotencyKey,
): Promise<CheckoutResult | null> {
  const { pool } = ctx.deps;
  const former = await findKey(pool, key);
  if (!former) return null;
  await flushCommits(pool);
  if (former.answer !== null) return former.answer as CheckoutResult;
  const payment = await findPayment(pool, businessId, former.reference ?? '');
  if (!payment) throw unavailable('The first request with this Idempotency-Key has not ended yet.');
  if (payment.status === 'CLOSED') throw conflict('The order of this Idempotency-Key was cancelled.');
  return finish(ctx, payment, key);
}

function checkInput({ deps }: OrdersContext, businessId: string, input: CheckoutInput) {
  const errors: FieldError[] = [];
  if (input.businessId !== undefined && input.businessId !== businessId) {
    errors.push({ field: 'businessId', error: 'INVALID_VALUE', message: 'businessId must be that of the address.' });
  }
  const address = (field: 'returnUrl' | 'cancelUrl') => {
    if (!input[field]) return null;
    const url = deps.origins.linkBase(input[field]);
    if (!url) errors.push({ field, error: 'INVALID_REDIRECT_URI', message: `${field} is not on an allowed origin.` });
    return url?.href ?? null;
  };
  const addresses = { returnUrl: address('returnUrl'), cancelUrl: address('cancelUrl') };
  if (errors.length > 0) throw invalid(errors);
  return addresses;
}

async function prepareOrder(ctx: OrdersContext, caller: Caller, businessId: string, input: CheckoutInput) {
  const wanted: Wanted = { ...input, ...itemsOf(input), promoCode: promoCodeOf(input), forCheckout: true };
  const blocks = await checkOrderBlocks(ctx, businessId, input.blocks ?? []);
  const priced = input.quoteId
    ? await honourQuote(ctx, businessId, input.quoteId, wanted)
    : await priceWanted(ctx, caller, businessId, wanted);
  if (input.quoteId) await checkStillSold(ctx, businessId, wanted);
  return { blocks, priced };
}

/** A quote keeps its price, but it does not keep a product on sale. */
async function checkStillSold({ deps }: OrdersContext, businessId: string, { items, field }: Wanted): Promise<void> {
  const sellables = await listSellables(deps.pool, businessId, items);
  const errors = items.flatMap(({ productId, variantId }, i) =>
    sellables.some((each) => each.productId === productId && each.variantId === variantId && each.active)
      ? []
      : [{ field: `${field}[${i}].productId`, error: 'NOT_FOUND', message: 'This product is not for sale any more.' }],
  );
  if (errors.length > 0) throw invalid(errors);
}

function newOrder(
  { deps }: OrdersContext,
  caller: Caller,
  businessId: string,
  { paymentMethod }: CheckoutInput,
  priced: Priced,
  blocks: BlockValue[],
): NewOrder {
  const now = deps.clock.seconds();
  const isFree = priced.total === 0;
  const placed = userStatus('PENDING', caller, now);
  const statuses = isFree ? [placed, systemStatus('PROCESSING', now)] : [placed];
  const paymentStatus = [userStatus('PENDING', caller, now), ...(isFree ? [systemStatus('PAID', now)] : [])];
  return {
    businessId,
    id: newId('ord'),
    status: statuses.at(-1)!.status,
    paymentStatus: paymentStatus.at(-1)!.status,
    customerId: caller.userId,
    customerEmail: caller.email?.toLowerCase() ?? null,
    holds: true,
    paid: 0,
    refunded: 0,
    doc: { ...priced, paymentMethod, blocks, statuses, paymentStatus },
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** Null: nothing is to be paid through a provider. */
async function preparePayment(
  { payments, businesses }: OrdersContext,
  order: NewOrder,
  caller: Caller,
  addresses: { returnUrl: string | null; cancelUrl: string | null },
): Promise<PaymentRow | null> {
  const { businessId, id, doc } = order;
  if (doc.total === 0 || !isCard(doc.paymentMethod ?? '')) return null;
  const { name } = await businesses.get(businessId);
  return payments.prepare(id, {
    ...{ businessId, purpose: 'ORDER', reference: id, amount: doc.total, currency: doc.currency },
    description: `Your order at ${name}`,
    lines: paymentLines(doc),
    email: caller.email,
    ...addresses,
  });
}

function answerOf({ id: orderId, doc }: NewOrder, checkoutUrl: string | undefined): CheckoutResult {
  if (checkoutUrl) return { orderId, checkoutUrl };
  return { orderId, status: doc.total === 0 ? 'COMPLETED' : 'PENDING' };
}
