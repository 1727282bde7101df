import type Stripe from 'stripe';
import {
  type PaymentEvent,
  type PaymentProvider,
  PaymentRefused,
  type SessionRequest,
  type SessionState,
  SignatureInvalid,
} from './port.ts';

const TIMEOUT_MS = 10_000;
/** Stripe's own bounds for the life of a session, with room for clocks that differ and for a repeat. */
const MIN_LIFE_SECONDS = 35 * 60;
const MAX_LIFE_SECONDS = 24 * 3600 - 60;
const MAX_KEPT_CLIENTS = 1000;

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
          .create(sessionParams(request), { idempotencyKey: `session:${request.paymentId}:${request.amount}` })
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
          const state = stateOf(await checkout.sessions.retrieve(sessionId).catch(refusal));
          if (state.status === 'OPEN') throw new Error('Stripe did not close the session.');
          return state;
        }
      },
      async refund({ refundId, chargeId, amount }) {
        if (chargeId === null) throw new PaymentRefused('There is no charge to refund.');
        const stripe = await client(secretKey);
        const refund = await stripe.refunds
          .create({ payment_intent: chargeId, amount, metadata: { refundId } }, { idempotencyKey: refundId })
          .catch(refusal);
        if (refund.status === 'failed' || refund.status === 'canceled')
          throw new PaymentRefused(`Refund ${refund.status}.`);
        return { id: refund.id };
      },
    };
  }

  /** Null: authentic, but not about a session of ours. Raises `SignatureInvalid` before anything of the body is believed. */
  async function readEvent(body: Buffer, signature: string, webhookSecret: string): Promise<PaymentEvent | null> {
    const { default: Sdk } = await import('stripe');
    let event: Stripe.Event;
    try {
      event = Sdk.webhooks.constructEvent(body, signature, webhookSecret);
    } catch (error) {
      throw new SignatureInvalid((error as Error).message);
    }
    if (!event.type.startsWith('checkout.session.')) return null;
    const session = event.data.object as Stripe.Checkout.Session;
    // Not the client_reference_id: whoever opens a payment link of the same account can write any id into that.
    const paymentId = session.metadata?.paymentId;
    if (!paymentId) return null;
    const about = { id: event.id, paymentId, sessionId: session.id };
    const state = stateOf(session);
    if (state.status === 'PAID') return { ...about, kind: 'PAID', amount: state.amount, chargeId: state.chargeId };
    if (event.type === 'checkout.session.async_payment_failed') return { ...about, kind: 'FAILED' };
    return event.type === 'checkout.session.expired' ? { ...about, kind: 'EXPIRED' } : null;
  }

  return { provider, readEvent };
}

export type StripeGateway = ReturnType<typeof createStripe>;

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

/** The same at every repeat: Stripe refuses an idempotency key that comes with anything else than the first time. */
function sessionParams(request: SessionRequest): Stripe.Checkout.SessionCreateParams {
  const { paymentId, businessId, description, amount, email, returnUrl, cancelUrl, createdAt, expiresAt } = request;
  const currency = request.currency.toLowerCase();
  const exact = request.lines.every((line) => line.unitPrice >= 0);
  const lines = exact ? request.lines : [{ name: description, quantity: 1, unitPrice: amount }];
  return {
    mode: 'payment',
    client_reference_id: paymentId,
    metadata: { businessId, paymentId },
    payment_intent_data: { metadata: { businessId, paymentId }, description },
    line_items: lines.map(({ name, quantity, unitPrice }) => ({
      quantity,
      price_data: { currency, unit_amount: unitPrice, product_data: { name: name.slice(0, 250) || description } },
    })),
    ...(email ? { customer_email: email } : {}),
    success_url: returnUrl,
    cancel_url: cancelUrl,
    expires_at: Math.min(Math.max(expiresAt, createdAt + MIN_LIFE_SECONDS), createdAt + MAX_LIFE_SECONDS),
  };
}

function stateOf(session: Stripe.Checkout.Session): SessionState {
  if (session.payment_status === 'paid') {
    const intent = session.payment_intent;
    const chargeId = typeof intent === 'string' ? intent : (intent?.id ?? null);
    return { status: 'PAID', amount: session.amount_total ?? 0, chargeId };
  }
  return { status: session.status === 'expired' ? 'EXPIRED' : 'OPEN' };
}

/** Stripe's 4xx are a no, but for rate limits and a repeat that met the first try. */
function refusal(error: Error & { statusCode?: number }): never {
  const status = error.statusCode ?? 0;
  if (status >= 400 && status < 500 && status !== 429 && status !== 409) throw new PaymentRefused(error.message);
  throw error;
}
