/**
 * Getting money through a provider, for orders and for whatever else is sold. A **payment** is one attempt: OPEN while it can
 * be paid, then PAID or CLOSED. Its row is committed before the provider is asked, so that news of it always finds it, and
 * its id is the provider's idempotency key, so that asking again is harmless.
 *
 * Providers are called outside of transactions. A payment that is open is watched by a job until it is not: the job makes a
 * session whose making was cut short, learns of money whose news got lost, and closes what has run out.
 */
import { inTransaction, type Tx } from '../../db/connection.ts';
import type { Statement } from '../../db/sql.ts';
import type { Deps } from '../../deps.ts';
import type { PaymentEvent, PaymentProvider, SessionState } from '../../providers/payments/port.ts';
import { createSandbox } from '../../providers/payments/sandbox.ts';
import { createStripe } from '../../providers/payments/stripe.ts';
import { unavailable } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { deriveKey } from '../../shared/secrets.ts';
import type { Businesses } from '../businesses/index.ts';
import {
  closePayment,
  findPayment,
  insertEvent,
  insertPayment,
  insertRefund,
  markPaid,
  type PaymentDoc,
  type PaymentRow,
  type Purpose,
  type RefundRow,
  updateSession,
} from './payment-queries.ts';

export const WATCH_JOB = 'payment-watch';
export const REFUND_JOB = 'payment-refund';
const FIRST_LOOK_SECONDS = 60;
const LOOK_EVERY_SECONDS = 300;

/** What happens to the thing that is paid for. All run in the transaction that changes the payment. */
export type PaymentHandlers = {
  /** Locks it, before the payment is locked. */
  lock?(tx: Tx, payment: PaymentRow): Promise<void>;
  /** REFUND: there is nothing to be had for this money any more. */
  paid(tx: Tx, payment: PaymentRow): Promise<'REFUND' | 'KEEP'>;
  failed?(tx: Tx, payment: PaymentRow): Promise<void>;
  closed?(tx: Tx, payment: PaymentRow): Promise<void>;
};

export type NewPayment = {
  businessId: string;
  purpose: Purpose;
  reference: string;
  amount: number;
  currency: string;
  description: string;
  lines?: PaymentDoc['lines'];
  email?: string | null;
  returnUrl?: string | null;
  cancelUrl?: string | null;
};

export function createPayments(deps: Deps, businesses: Businesses) {
  const { pool, config, clock, jobs, log } = deps;
  const sandbox = createSandbox(deriveKey(config.secretKey, 'sandbox-payments'), deps.publicUrl);
  const stripe = createStripe(config.stripeApiBase);
  const handlers = new Map<Purpose, PaymentHandlers>();

  function handlersOf(purpose: Purpose): PaymentHandlers {
    const found = handlers.get(purpose);
    if (!found) throw new Error(`Nobody takes payments for ${purpose}.`);
    return found;
  }

  /** Null: the business has taken its keys away. */
  async function providerOf({ businessId, provider }: PaymentRow): Promise<PaymentProvider | null> {
    if (provider === 'SANDBOX') return sandbox.provider;
    const { type, secretKey } = await businesses.providerSecrets(businessId);
    return type === 'STRIPE' && secretKey ? stripe.provider(secretKey) : null;
  }

  /** Businesses whose operator was told that they take no money: once is enough. */
  const warned = new Set<string>();

  /** A payment that is not written yet. With the sandbox it is complete; else its session is made by `openSession`. */
  async function prepare(id: string, wanted: NewPayment): Promise<PaymentRow> {
    const { businessId, purpose, reference, amount, currency, description } = wanted;
    const provider = (await businesses.get(businessId)).configs.paymentProvider?.type ?? 'SANDBOX';
    if (provider === 'SANDBOX' && config.production && !warned.has(businessId)) {
      warned.add(businessId);
      log.warn(
        { businessId },
        'payments in the sandbox: no money will move. The business has set no payment provider.',
      );
    }
    const now = clock.seconds();
    const own = provider === 'SANDBOX' ? { sessionId: id, url: sandbox.urlOf(businessId, id) } : null;
    return {
      ...{ businessId, id, purpose, reference, provider, status: 'OPEN', amount, currency, paid: 0, chargeId: null },
      sessionId: own?.sessionId ?? null,
      doc: {
        description,
        lines: wanted.lines ?? [{ name: description, quantity: 1, unitPrice: amount }],
        email: wanted.email ?? null,
        returnUrl: wanted.returnUrl ?? null,
        cancelUrl: wanted.cancelUrl ?? null,
        ...(own && { url: own.url }),
      },
      expiresAt: now + config.checkoutTtlSeconds,
      createdAt: now,
      updatedAt: now,
    };
  }

  /** The job that watches a payment, ready to be issued in the payment's own transaction. */
  function prepareWatch(payment: PaymentRow): Promise<(tx: Tx) => Statement<object[]>> {
    const first = payment.provider === 'SANDBOX' ? config.checkoutTtlSeconds : FIRST_LOOK_SECONDS;
    return jobs.prepare(WATCH_JOB, watchData(payment), {
      startAfterSeconds: Math.min(first, config.checkoutTtlSeconds),
    });
  }

  /** Where the customer pays. Safe to repeat. The payment must be committed. Raises 503 when the provider does not answer. */
  async function openSession(payment: PaymentRow): Promise<string> {
    if (payment.doc.url) return payment.doc.url;
    try {
      const session = await makeSession(payment);
      return session.url;
    } catch (error) {
      log.warn({ err: error, paymentId: payment.id }, 'the payment provider gave no session');
      throw unavailable('The payment provider does not answer. Try again soon.');
    }
  }

  async function makeSession(payment: PaymentRow) {
    const provider = await providerOf(payment);
    if (!provider) throw new Error('The business has no keys for its payment provider.');
    const { businessId, id, amount, currency, doc, createdAt, expiresAt } = payment;
    const ownPage = sandbox.urlOf(businessId, id);
    const session = await provider.createSession({
      ...{ paymentId: id, businessId, amount, currency, createdAt, expiresAt },
      ...{ description: doc.description, lines: doc.lines, email: doc.email },
      returnUrl: doc.returnUrl ?? ownPage,
      cancelUrl: doc.cancelUrl ?? ownPage,
    });
    await inTransaction(pool, (tx) => updateSession(tx, payment, session));
    return session;
  }

  /** The effect of money, once, however often and in whatever order news of it arrives. */
  async function settle(tx: Tx, payment: PaymentRow, paid: { amount: number; chargeId: string | null }): Promise<void> {
    const handler = handlersOf(payment.purpose);
    await handler.lock?.(tx, payment);
    const fresh = await markPaid(tx, payment, paid, clock.seconds());
    if (fresh && (await handler.paid(tx, fresh)) === 'REFUND')
      await reserveRefund(tx, jobs, refundOf(fresh, clock.seconds()));
  }

  async function close(tx: Tx, payment: PaymentRow): Promise<void> {
    const handler = handlersOf(payment.purpose);
    await handler.lock?.(tx, payment);
    if (await closePayment(tx, payment.businessId, payment.id, clock.seconds())) await handler.closed?.(tx, payment);
  }

  async function fail(tx: Tx, payment: PaymentRow): Promise<void> {
    const handler = handlersOf(payment.purpose);
    await handler.lock?.(tx, payment);
    const current = await findPayment(tx, payment.businessId, payment.id);
    if (current?.status === 'OPEN') await handler.failed?.(tx, current);
  }

  /** What the provider told us. The event is noted in the transaction of its effect, so it has one effect. */
  async function receive(businessId: string, event: PaymentEvent): Promise<void> {
    await inTransaction(pool, async (tx) => {
      if (!(await insertEvent(tx, businessId, event.id, clock.seconds()))) return;
      const payment = await findPayment(tx, businessId, event.paymentId);
      if (!payment) return;
      if (event.kind === 'PAID') await settle(tx, payment, event);
      else if (payment.sessionId !== null && payment.sessionId !== event.sessionId) return;
      else if (event.kind === 'FAILED') await fail(tx, payment);
      else await close(tx, payment);
    });
  }

  /** One look at an open payment; comes back later while it stays open. */
  async function watch(businessId: string, paymentId: string): Promise<void> {
    const payment = await findPayment(pool, businessId, paymentId);
    if (payment?.status !== 'OPEN') return;
    const left = payment.expiresAt - clock.seconds();
    try {
      const state = await look(payment, left <= 0);
      if (state.status === 'PAID') return await inTransaction(pool, (tx) => settle(tx, payment, state));
      if (left <= 0) return await inTransaction(pool, (tx) => close(tx, payment));
    } catch (error) {
      log.warn({ err: error, paymentId }, 'a payment could not be looked at, trying again later');
    }
    const next = left <= 0 ? FIRST_LOOK_SECONDS : Math.min(left, LOOK_EVERY_SECONDS);
    await inTransaction(pool, (tx) => jobs.enqueue(tx, WATCH_JOB, watchData(payment), { startAfterSeconds: next }));
  }

  async function look(payment: PaymentRow, expire: boolean): Promise<SessionState> {
    const provider = await providerOf(payment);
    // Nobody was told of a session that we do not know of: there is nothing to close.
    if (!provider || (expire && payment.sessionId === null)) return { status: expire ? 'EXPIRED' : 'OPEN' };
    const sessionId = payment.sessionId ?? (await makeSession(payment)).id;
    return expire ? provider.expireSession(sessionId) : provider.findSession(sessionId);
  }

  return {
    sandbox,
    stripe,
    providerOf,
    prepare,
    prepareWatch,
    openSession,
    settle,
    close,
    fail,
    receive,
    watch,
    handle(purpose: Purpose, handler: PaymentHandlers): void {
      handlers.set(purpose, handler);
    },
    /** Called once for each payment of this purpose, in the transaction that notes it as paid; `REFUND` sends it back. */
    onPaid(purpose: Purpose, paid: (tx: Tx, payment: PaymentRow) => Promise<unknown>): void {
      handlers.set(purpose, {
        async paid(tx, payment) {
          const isEnough = payment.paid >= payment.amount;
          return isEnough && (await paid(tx, payment)) !== 'REFUND' ? 'KEEP' : 'REFUND';
        },
      });
    },
    /** Begins a payment on its own: commits it, then asks the provider where the customer pays. */
    async begin(wanted: NewPayment): Promise<{ id: string; url: string }> {
      const payment = await prepare(newId('pay'), wanted);
      const enqueueWatch = await prepareWatch(payment);
      await inTransaction(pool, (tx) => Promise.all([insertPayment(tx, payment), enqueueWatch(tx)]));
      return { id: payment.id, url: await openSession(payment) };
    },
  };
}

export type Payments = ReturnType<typeof createPayments>;

/** All of it, by the service itself. */
const refundOf = (payment: PaymentRow, nowSeconds: number): RefundRow => ({
  businessId: payment.businessId,
  id: newId('rfd'),
  paymentId: payment.id,
  orderId: payment.purpose === 'ORDER' ? payment.reference : null,
  amount: payment.paid,
  reason: 'It came too late.',
  userId: null,
  status: 'PENDING',
  providerRefundId: null,
  createdAt: nowSeconds,
  updatedAt: nowSeconds,
});

/** Written before the provider is asked, with the job that asks should this process die before it has. */
export async function reserveRefund(tx: Tx, jobs: Deps['jobs'], refund: RefundRow): Promise<void> {
  const { businessId, id, userId } = refund;
  await insertRefund(tx, refund);
  await jobs.enqueue(tx, REFUND_JOB, { businessId, refundId: id }, { startAfterSeconds: userId === null ? 0 : 60 });
}

const watchData = ({ businessId, id }: PaymentRow) => ({ businessId, paymentId: id });
