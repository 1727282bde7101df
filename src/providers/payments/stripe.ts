import type Stripe from 'stripe';
import {
  type Money,
  type PaymentEvent,
  type PaymentProvider,
  PaymentRefused,
  type SessionRequest,
  type SessionState,
  SignatureInvalid,
} from './port.ts';
import { agreementEvent, agreementsOf, intentOf, STRIPE_INTERVALS } from './stripe-agreements.ts';
import { chargeEvent, chargesOf } from './stripe-charges.ts';
import { idOf, isAmount, isText, record } from './stripe-json.ts';
import { refusal, unlessMissing } from './stripe-refusals.ts';

const TIMEOUT_MS = 10_000;
/** Stripe's limits for the lifetime of a session, with a margin for clock skew and retries. */
const MIN_LIFE_SECONDS = 35 * 60;
const MAX_LIFE_SECONDS = 24 * 3600 - 60;
const MAX_KEPT_CLIENTS = 1000;
/** Stripe's limit per session. */
const MAX_LINES = 100;
/** The maximum difference between the time of a signature and now, in the past (checked by Stripe) or the future. */
const TOLERANCE_SECONDS = 300;

/** Checkout Sessions through the official SDK, which is loaded when the first business needs it. */
export function createStripe(apiBase: string | null) {
  const clients = new Map<string, Promise<Stripe>>();

  function client(secretKey: string): Promise<Stripe> {
    const known = clients.get(secretKey);
    if (known) return known;
    if (clients.size >= MAX_KEPT_CLIENTS) clients.clear();
    const made = import('stripe').then(({ default: Sdk }) => new Sdk(secretKey, options(apiBase)));
    clients.set(secretKey, made);
    made.catch(() => clients.delete(secretKey));
    return made;
  }

  function provider(secretKey: string): PaymentProvider {
    return {
      async createSession(request) {
        const stripe = await client(secretKey);
        const session = await stripe.checkout.sessions
          .create(sessionParams(request), {
            idempotencyKey: `session:${request.paymentId}:${request.amount}:${request.createdAt}`,
          })
          .catch(refusal);
        return { id: session.id, url: session.url ?? request.returnUrl };
      },
      async findSession(sessionId) {
        const stripe = await client(secretKey);
        return stateOf(await stripe.checkout.sessions.retrieve(sessionId).catch(refusal));
      },
      async expireSession(sessionId) {
        const { checkout } = await client(secretKey);
        try {
          return stateOf(await checkout.sessions.expire(sessionId));
        } catch {
          const session = await checkout.sessions.retrieve(sessionId).catch(unlessMissing);
          const state: SessionState = session ? stateOf(session) : { status: 'EXPIRED' };
          if (state.status === 'OPEN') throw new Error('Stripe did not expire the session');
          return state;
        }
      },
      async refund({ refundId, chargeId, amount, isOld }) {
        if (chargeId === null) throw new PaymentRefused('There is no charge to refund');
        const stripe = await client(secretKey);
        const intent = chargeId.startsWith('in_') ? await intentOf(stripe, chargeId).catch(refusal) : chargeId;
        const existing = isOld ? await findRefund(stripe, intent, refundId).catch(refusal) : null;
        const refund =
          existing ??
          (await stripe.refunds
            .create({ payment_intent: intent, amount, metadata: { refundId } }, { idempotencyKey: refundId })
            .catch(refusal));
        if (refund.status === 'failed' || refund.status === 'canceled')
          throw new PaymentRefused(`The refund has the status ${refund.status}.`);
        return { id: refund.id };
      },
      ...chargesOf(() => client(secretKey)),
      ...agreementsOf(() => client(secretKey)),
    };
  }

  /**
   * Verifies and parses an event. Returns null if it is authentic but not about one of our payments, or has an
   * unknown format. Throws `SignatureInvalid` before it trusts anything in the body.
   */
  async function readEvent(body: Buffer, signature: string, webhookSecret: string): Promise<PaymentEvent | null> {
    const { default: Sdk } = await import('stripe');
    let event: unknown;
    try {
      event = Sdk.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS);
    } catch (error) {
      throw new SignatureInvalid((error as Error).message);
    }
    if (signedAt(signature) > Date.now() / 1000 + TOLERANCE_SECONDS)
      throw new SignatureInvalid('The signature has a timestamp in the future');
    return eventOf(event);
  }

  return { provider, readEvent };
}

export type StripeGateway = ReturnType<typeof createStripe>;

const signedAt = (signature: string) =>
  Math.max(...[...signature.matchAll(/(?:^|,)\s*t=(\d+)/g)].map(([, seconds]) => Number(seconds)));

/** External JSON: any field can have any type. */
function eventOf(event: unknown): PaymentEvent | null {
  const { id, type, data } = record(event);
  if (!isText(id) || !isText(type)) return null;
  const object = record(record(data).object);
  if (type.startsWith('checkout.session.')) return sessionEvent(id, type, object);
  return agreementEvent(id, type, object) ?? chargeEvent(id, type, object);
}

function sessionEvent(id: string, type: string, session: Record<string, unknown>): PaymentEvent | null {
  // Not client_reference_id: anyone who opens a payment link of the same account can set that.
  const { paymentId } = record(session.metadata);
  if (!isText(paymentId) || !isText(session.id)) return null;
  const about = { id, paymentId, sessionId: session.id };
  if (session.payment_status === 'paid') {
    const money = moneyOf(session);
    return money && { ...about, kind: 'PAID', ...money };
  }
  if (type === 'checkout.session.async_payment_failed') return { ...about, kind: 'FAILED' };
  return type === 'checkout.session.expired' ? { ...about, kind: 'EXPIRED' } : null;
}

/**
 * Returns null if the amounts are invalid. A recurring payment is charged by an invoice, which identifies the
 * payment.
 */
function moneyOf(session: Record<string, unknown>): Money | null {
  const { amount_total: amount, currency } = session;
  if (!isAmount(amount) || !isText(currency)) return null;
  const chargeId = idOf(session.payment_intent) ?? idOf(session.invoice);
  const id = idOf(session.subscription);
  const agreement = id && { id, customerId: idOf(session.customer), chargeId: idOf(session.invoice) };
  return { amount, currency, chargeId, ...(agreement && { agreement }) };
}

function options(apiBase: string | null): Stripe.StripeConfig {
  const base = apiBase === null ? null : new URL(apiBase);
  return {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      protocol: base.protocol === 'https:' ? 'https' : 'http',
    }),
  };
}

/** The result must be the same for every retry, because Stripe rejects an idempotency key with different parameters. */
function sessionParams(request: SessionRequest): Stripe.Checkout.SessionCreateParams {
  const { paymentId, businessId, description, amount, email, returnUrl, cancelUrl, createdAt, expiresAt } = request;
  const currency = request.currency.toLowerCase();
  const exact = request.lines.length <= MAX_LINES && request.lines.every((line) => line.unitPrice >= 0);
  const lines = exact ? request.lines : [{ name: description, quantity: 1, unitPrice: amount }];
  const metadata = { businessId, paymentId };
  const recurring = request.interval && { interval: STRIPE_INTERVALS[request.interval] };
  return {
    mode: recurring ? 'subscription' : 'payment',
    client_reference_id: paymentId,
    metadata,
    ...(recurring
      ? { subscription_data: { metadata, description } }
      : { payment_intent_data: { metadata, description } }),
    line_items: lines.map(({ name, quantity, unitPrice }) => ({
      quantity,
      price_data: {
        currency,
        unit_amount: unitPrice,
        product_data: { name: name.slice(0, 250) || description },
        ...(recurring && { recurring }),
      },
    })),
    ...(email ? { customer_email: email } : {}),
    success_url: returnUrl,
    cancel_url: cancelUrl,
    expires_at: Math.min(Math.max(expiresAt, createdAt + MIN_LIFE_SECONDS), createdAt + MAX_LIFE_SECONDS),
  };
}

function stateOf(session: Stripe.Checkout.Session): SessionState {
  if (session.payment_status === 'paid') {
    const money = moneyOf(record(session));
    if (!money) throw new Error('Stripe returned a paid session without an amount');
    return { status: 'PAID', ...money };
  }
  return { status: session.status === 'expired' ? 'EXPIRED' : 'OPEN' };
}

/** Finds the refund with this ID, however old. */
async function findRefund(stripe: Stripe, chargeId: string, refundId: string): Promise<Stripe.Refund | null> {
  for await (const refund of stripe.refunds.list({ payment_intent: chargeId, limit: 100 })) {
    if (refund.metadata?.refundId === refundId) return refund;
  }
  return null;
}
