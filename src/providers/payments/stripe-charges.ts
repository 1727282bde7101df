/** Refunds and disputes of charges, which are Stripe payment intents. */
import type Stripe from 'stripe';
import type { Dispute, PaymentEvent, PaymentProvider, ProviderRefund } from './port.ts';
import { idOf, isText, record } from './stripe-json.ts';
import { refusal, unlessMissing } from './stripe-refusals.ts';

type Charges = Pick<PaymentProvider, 'findCharge' | 'findDispute'>;

export function chargesOf(client: () => Promise<Stripe>): Charges {
  return {
    async findCharge(id) {
      const stripe = await client();
      const intent = await stripe.paymentIntents.retrieve(id).catch(unlessMissing);
      const { paymentId } = record(intent?.metadata);
      if (!isText(paymentId)) return null;
      return { paymentId, refunds: await listRefunds(stripe, id).catch(refusal) };
    },
    async findDispute(id) {
      const stripe = await client();
      const found = await stripe.disputes.retrieve(id).catch(unlessMissing);
      if (!found) return null;
      return { id, amount: found.amount, reason: found.reason || null, status: disputeStatus(found.status) };
    },
  };
}

async function listRefunds(stripe: Stripe, intent: string): Promise<ProviderRefund[]> {
  const refunds: ProviderRefund[] = [];
  for await (const { id, metadata, amount, reason, status } of stripe.refunds.list({
    payment_intent: intent,
    limit: 100,
  })) {
    if (status === 'requires_action') continue;
    const hasFailed = status === 'failed' || status === 'canceled';
    const refundId = isText(metadata?.refundId) ? metadata.refundId : null;
    refunds.push({ id, refundId, amount, reason: readable(reason), status: hasFailed ? 'FAILED' : 'SUCCEEDED' });
  }
  // Oldest first.
  return refunds.reverse();
}

/** `requested_by_customer` is shown to staff as "Requested by customer". */
function readable(reason: string | null): string | null {
  const text = reason?.replaceAll('_', ' ') ?? '';
  return text === '' ? null : text[0]!.toUpperCase() + text.slice(1);
}

/** An inquiry (`warning_…`) that is closed, or a dispute that was prevented, costs nothing. */
function disputeStatus(status: string): Dispute['status'] {
  if (status === 'lost') return 'LOST';
  return ['won', 'warning_closed', 'prevented'].includes(status) ? 'WON' : 'OPEN';
}

/** Returns null for unrelated events. */
export function chargeEvent(id: string, type: string, object: Record<string, unknown>): PaymentEvent | null {
  const chargeId = idOf(object.payment_intent);
  if (chargeId === null) return null;
  if (type === 'charge.refunded' || type === 'charge.refund.updated' || type.startsWith('refund.'))
    return { id, kind: 'REFUND_CHANGED', chargeId };
  const disputeId = type.startsWith('charge.dispute.') ? idOf(object.id) : null;
  return disputeId === null ? null : { id, kind: 'DISPUTE_CHANGED', chargeId, disputeId };
}
