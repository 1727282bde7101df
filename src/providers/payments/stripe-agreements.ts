/** Agreements as Stripe subscriptions, charged by invoices. Supports the API versions before and since 2025. */
import type Stripe from 'stripe';
import { type AgreementState, type Charge, type PaymentEvent, type PaymentProvider, PaymentRefused } from './port.ts';
import { idOf, isAmount, isText, itemsOf, record } from './stripe-json.ts';
import { refusal, unlessMissing } from './stripe-refusals.ts';

export const STRIPE_INTERVALS = { WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;

type Agreements = Pick<PaymentProvider, 'findAgreement' | 'changeAgreement' | 'portalUrl'>;

export function agreementsOf(client: () => Promise<Stripe>): Agreements {
  return {
    async findAgreement(id) {
      const { subscriptions } = await client();
      const found = await subscriptions.retrieve(id, { expand: ['latest_invoice'] }).catch(unlessMissing);
      return found ? stateOf(record(found)) : ENDED;
    },
    async changeAgreement(id, requested) {
      const { subscriptions } = await client();
      const found = await subscriptions.retrieve(id).catch(unlessMissing);
      if (!found || isOver(found.status)) return;
      if (requested === 'END') await subscriptions.cancel(id).catch(refusal);
      else await subscriptions.update(id, { cancel_at_period_end: requested === 'CANCEL' }).catch(refusal);
    },
    async portalUrl(customer, returnUrl) {
      const { billingPortal } = await client();
      return (await billingPortal.sessions.create({ customer, return_url: returnUrl }).catch(refusal)).url;
    },
  };
}

const ENDED: AgreementState = { status: 'ENDED', periodEnd: 0, cancelsAtPeriodEnd: false, charge: null };

const isOver = (status: unknown) => status === 'canceled' || status === 'incomplete_expired';

function stateOf(subscription: Record<string, unknown>): AgreementState {
  const { status, items, latest_invoice: invoice } = subscription;
  if (isOver(status)) return ENDED;
  const isPastDue = status === 'past_due' || status === 'unpaid';
  const [item] = itemsOf(items);
  const periodEnd = record(item).current_period_end ?? subscription.current_period_end;
  return {
    status: isPastDue ? 'PAST_DUE' : 'ACTIVE',
    periodEnd: isAmount(periodEnd) ? periodEnd : 0,
    cancelsAtPeriodEnd: subscription.cancel_at_period_end === true,
    charge: chargeOf(record(invoice), isPastDue),
  };
}

/** Returns null if the invoice is neither paid nor failed, or has an unknown format. */
function chargeOf(invoice: Record<string, unknown>, failed: boolean): Charge | null {
  const { id, currency, amount_paid: paid, amount_due: due, status } = invoice;
  const ends = itemsOf(invoice.lines).flatMap((line) => {
    const { end } = record(record(line).period);
    return isAmount(end) ? [end] : [];
  });
  if (!isText(id) || !isText(currency) || ends.length === 0) return null;
  const isPaid = status === 'paid';
  const amount = isPaid ? paid : due;
  if (!isAmount(amount) || !(isPaid || failed)) return null;
  return { id, status: isPaid ? 'PAID' : 'FAILED', amount, currency, periodEnd: Math.max(...ends) };
}

/** Returns null for unrelated events. */
export function agreementEvent(id: string, type: string, object: Record<string, unknown>): PaymentEvent | null {
  if (type === 'customer.subscription.updated' || type === 'customer.subscription.deleted') {
    return isText(object.id) ? { id, kind: 'AGREEMENT_CHANGED', agreementId: object.id } : null;
  }
  if (type !== 'invoice.paid' && type !== 'invoice.payment_failed') return null;
  const agreementId =
    idOf(record(record(object.parent).subscription_details).subscription) ?? idOf(object.subscription);
  const charge = chargeOf(object, type === 'invoice.payment_failed');
  return agreementId && charge ? { id, kind: 'CHARGED', agreementId, charge } : null;
}

/** The payment of an invoice: refunds apply to payments. */
export async function intentOf(stripe: Stripe, invoice: string): Promise<string> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 1 });
  const intent = idOf(data[0]?.payment.payment_intent);
  if (intent === null) throw new PaymentRefused('There is no charge to refund');
  return intent;
}
