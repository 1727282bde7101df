/** From something to pay for to the page where the customer pays. */
import { PaymentRefused, type Session } from '../../providers/payments/port.ts';
import { isMember } from '../../shared/caller.ts';
import { invalidField, unavailable } from '../../shared/errors.ts';
import { getBusiness } from '../businesses/index.ts';
import type { Interval } from './agreements/periods.ts';
import type { Steps } from './context.ts';
import { providerOf } from './provider.ts';
import { type PaymentLine, type PaymentRow, updateSession } from './queries.ts';

/** After this long somebody looks whether there is news of a payment. */
export const FIRST_LOOK_SECONDS = 60;

export type NewPayment = {
  businessId: string;
  purpose: string;
  /** What is paid for. */
  reference: string;
  amount: number;
  currency: string;
  description: string;
  lines?: PaymentLine[];
  email?: string | null;
  returnUrl?: string | null;
  cancelUrl?: string | null;
  /** It is paid again after each of these, until it is cancelled. */
  interval?: Interval;
};

/** A payment that is not written yet. With the sandbox it is complete; else its session is made by `openSession`. */
export async function preparePayment(ctx: Steps, id: string, wanted: NewPayment): Promise<PaymentRow> {
  const { businessId, purpose, reference, amount, currency, description } = wanted;
  const { checkoutTtlSeconds } = ctx.config;
  const provider = (await getBusiness(ctx, businessId)).configs.paymentProvider?.type ?? 'SANDBOX';
  if (provider === 'SANDBOX') refuseSandbox(ctx);
  const own = provider === 'SANDBOX' ? { sessionId: id, url: ctx.payments.sandbox.urlOf(businessId, id) } : null;
  return {
    ...{ businessId, id, purpose, reference, provider, status: 'OPEN', amount, currency, paid: 0, chargeId: null },
    sessionId: own?.sessionId ?? null,
    doc: {
      description,
      lines: wanted.lines ?? [{ name: description, quantity: 1, unitPrice: amount }],
      email: wanted.email ?? null,
      returnUrl: wanted.returnUrl ?? null,
      cancelUrl: wanted.cancelUrl ?? null,
      ...(wanted.interval && { interval: wanted.interval }),
      ...(own && { url: own.url }),
    },
    expiresAt: ctx.now + checkoutTtlSeconds,
    // Nothing but its end can be news of the sandbox's.
    dueAt: ctx.now + Math.min(checkoutTtlSeconds, provider === 'SANDBOX' ? checkoutTtlSeconds : FIRST_LOOK_SECONDS),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

/** Goods that nobody has paid for would leave the shop. */
function refuseSandbox({ config }: Steps): void {
  if (config.paymentSandbox) return;
  const message = 'This shop takes no card payments: it has set no payment provider.';
  throw invalidField('paymentMethod', 'PROVIDER_NOT_SET', message);
}

/**
 * Where the customer pays. Safe to repeat. The payment must be committed. A provider that does not answer is 503; one that
 * refuses for good is too, but for staff, who can mend it and learn why.
 */
export async function openSession(ctx: Steps, payment: PaymentRow): Promise<string> {
  if (payment.doc.url) return payment.doc.url;
  try {
    const session = await makeSession(ctx, payment);
    return session.url;
  } catch (error) {
    if (error instanceof PaymentRefused) throw refusedToCaller(ctx, payment, error);
    ctx.log.warn({ err: error, paymentId: payment.id }, 'the payment provider gave no session');
    throw unavailable('The payment provider does not answer. Try again soon.');
  }
}

function refusedToCaller(
  { log, caller }: Steps,
  { businessId, id: paymentId }: PaymentRow,
  { message }: PaymentRefused,
) {
  log.error({ businessId, paymentId, reason: message }, 'the payment provider refused a session');
  return isMember(caller, businessId)
    ? invalidField('paymentMethod', 'PROVIDER_REFUSED', `The payment provider refused: ${message}`)
    : unavailable('This shop cannot take card payments now. Pay in another way, or ask the shop.');
}

export async function makeSession(ctx: Steps, payment: PaymentRow): Promise<Session> {
  const provider = await providerOf(ctx, payment);
  if (!provider) throw new PaymentRefused('The business has no keys for its payment provider.');
  const { businessId, id, amount, currency, doc, createdAt, expiresAt } = payment;
  const ownPage = ctx.payments.sandbox.urlOf(businessId, id);
  const session = await provider.createSession({
    ...{ paymentId: id, businessId, amount, currency, createdAt, expiresAt },
    ...{ description: doc.description, lines: doc.lines, email: doc.email, interval: doc.interval },
    returnUrl: doc.returnUrl ?? ownPage,
    cancelUrl: doc.cancelUrl ?? ownPage,
  });
  await ctx.write((tx) => updateSession(tx, payment, session));
  return session;
}
