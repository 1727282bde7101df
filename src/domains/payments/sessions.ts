/** Prepares payments and opens their sessions with the provider. */
import { PaymentRefused, type Session } from '../../providers/payments/port.ts';
import { invalidField, unavailable } from '../../shared/errors.ts';
import type { Language } from '../../shared/mail/languages.ts';
import { isMember } from '../../shared/security/caller.ts';
import { getBusiness } from '../businesses/index.ts';
import type { Interval } from './agreements/periods.ts';
import type { Steps } from './context.ts';
import { providerOf } from './provider.ts';
import { type PaymentLine, type PaymentRow, updateSession } from './queries.ts';

/** Time until a new payment is first polled. */
export const FIRST_POLL_SECONDS = 60;

export type NewPayment = {
  businessId: string;
  purpose: string;
  /** The ID of the purchase. */
  reference: string;
  amount: number;
  currency: string;
  description: string;
  lines?: PaymentLine[];
  email?: string | null;
  returnUrl?: string | null;
  cancelUrl?: string | null;
  /** The language of the payment page. */
  language?: Language;
  /** The billing interval, if the payment recurs until it is canceled. */
  interval?: Interval;
};

/** Builds a payment without storing it. A sandbox payment is complete; for other providers, `openSession` adds the session. */
export async function preparePayment(ctx: Steps, id: string, input: NewPayment): Promise<PaymentRow> {
  const { businessId, purpose, reference, amount, currency, description } = input;
  const { checkoutTtlSeconds } = ctx.config;
  const provider = (await getBusiness(ctx, businessId)).configs.paymentProvider?.type ?? 'SANDBOX';
  if (provider === 'SANDBOX') assertSandboxAllowed(ctx);
  const sandboxSession =
    provider === 'SANDBOX'
      ? { sessionId: id, url: ctx.payments.sandbox.urlOf({ businessId, id, purpose, reference }) }
      : null;
  return {
    businessId,
    id,
    purpose,
    reference,
    provider,
    status: 'OPEN',
    amount,
    currency,
    paid: 0,
    chargeId: null,
    sessionId: sandboxSession?.sessionId ?? null,
    doc: {
      description,
      lines: input.lines ?? [{ name: description, quantity: 1, unitPrice: amount }],
      email: input.email ?? null,
      returnUrl: input.returnUrl ?? null,
      cancelUrl: input.cancelUrl ?? null,
      ...(input.language && { language: input.language }),
      ...(input.interval && { interval: input.interval }),
      ...(sandboxSession && { url: sandboxSession.url }),
    },
    expiresAt: ctx.now + checkoutTtlSeconds,
    // In the sandbox, only expiry needs a poll.
    dueAt: ctx.now + Math.min(checkoutTtlSeconds, provider === 'SANDBOX' ? checkoutTtlSeconds : FIRST_POLL_SECONDS),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

/** In production, sandbox payments would let customers order without paying. */
function assertSandboxAllowed({ config }: Steps): void {
  if (config.paymentSandbox) return;
  const message = 'This shop does not accept card payments because it has no payment provider.';
  throw invalidField('paymentMethod', 'PROVIDER_NOT_SET', message);
}

/**
 * Returns the URL of the payment page. Idempotent. The payment must be committed. Throws 503 if the provider does not respond. If it
 * refuses permanently, customers get 503 and staff, who can fix the cause, get 422 with the reason. `isPublic`: the route has no
 * caller.
 */
export async function openSession(ctx: Steps, payment: PaymentRow, { isPublic = false } = {}): Promise<string> {
  if (payment.doc.url) return payment.doc.url;
  try {
    const session = await makeSession(ctx, payment);
    return session.url;
  } catch (error) {
    if (error instanceof PaymentRefused)
      throw refusalFor(ctx, payment, error, !isPublic && isMember(ctx.caller, payment.businessId));
    ctx.log.warn({ err: error, paymentId: payment.id }, 'Failed to open a payment session');
    throw unavailable('The payment provider is not responding. Try again later.');
  }
}

function refusalFor(
  { log }: Steps,
  { businessId, id: paymentId }: PaymentRow,
  { message }: PaymentRefused,
  isStaff: boolean,
) {
  log.error({ businessId, paymentId, reason: message }, 'Payment provider rejected a payment session');
  return isStaff
    ? invalidField('paymentMethod', 'PROVIDER_REFUSED', `The payment provider declined the payment: ${message}`)
    : unavailable("This shop can't accept card payments right now. Choose another payment method or contact the shop.");
}

/** Throws if the payment was closed in the meantime. Its session is then closed too, because no one would poll it. */
export async function makeSession(ctx: Steps, payment: PaymentRow): Promise<Session> {
  const provider = await providerOf(ctx, payment);
  if (!provider) throw new PaymentRefused('The business has no payment provider keys.');
  const { businessId, id, amount, currency, doc, createdAt, expiresAt } = payment;
  const ownPage = ctx.payments.sandbox.urlOf(payment);
  const session = await provider.createSession({
    paymentId: id,
    businessId,
    amount,
    currency,
    createdAt,
    expiresAt,
    description: doc.description,
    lines: doc.lines,
    email: doc.email,
    interval: doc.interval,
    returnUrl: doc.returnUrl ?? ownPage,
    cancelUrl: doc.cancelUrl ?? ownPage,
  });
  if (await ctx.write((tx) => updateSession(tx, payment, session))) return session;
  await provider.expireSession(session.id);
  throw new Error('The payment was closed while its session was being opened');
}
