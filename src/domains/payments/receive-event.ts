import { type PaymentEvent, SignatureInvalid } from '../../providers/payments/port.ts';
import { badRequest } from '../../shared/errors.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { providerSecrets } from '../businesses/index.ts';
import { applyCharge, scheduleSync } from './agreements/agreements.ts';
import { findByProviderId } from './agreements/queries.ts';
import { applyChargeState, type ChargeState, fetchCharge } from './charges.ts';
import { type Command, command, type Steps } from './context.ts';
import { closePayment, completePayment, declinePayment } from './outcomes.ts';
import { findPayment, insertEvent } from './queries.ts';

type SignedEvent = { payload: unknown; signature: string | undefined };

/** Handles an event from Stripe. The event is recorded in the transaction of its effect, so it takes effect once. */
export const receiveEvent = command({
  prepare: readEvent,
  async execute(ctx, received) {
    if (received) await applyEvent(ctx, received);
    return SUCCESS;
  },
});

/** An event, and for an event about a charge also the current state of that charge. */
type Received = { event: PaymentEvent; charge: ChargeState | null };

/** Throws 400 if the event is not from Stripe. Returns null for irrelevant events. */
async function readEvent(ctx: Steps, { payload, signature }: SignedEvent): Promise<Received | null> {
  const { webhookSecret, type } = await providerSecrets(ctx, ctx.businessId);
  if (type !== 'STRIPE' || !webhookSecret || !signature || !Buffer.isBuffer(payload)) throw badSignature();
  const event = await ctx.payments.stripe.readEvent(payload, signature, webhookSecret).catch((error) => {
    throw error instanceof SignatureInvalid ? badSignature() : error;
  });
  return event && { event, charge: isAboutCharge(event) ? await fetchCharge(ctx, event) : null };
}

const isAboutCharge = (event: PaymentEvent) => event.kind === 'REFUND_CHANGED' || event.kind === 'DISPUTE_CHANGED';

const badSignature = () => badRequest('The signature is missing or invalid.');

/** Ignores unknown agreements: once created, an agreement is synced with the provider by its own job. */
async function applyToAgreement(ctx: Command, event: Extract<PaymentEvent, { agreementId: string }>): Promise<void> {
  const agreement = await findByProviderId(ctx.db, ctx.businessId, event.agreementId);
  if (!agreement) return;
  if (event.kind === 'CHARGED') await applyCharge(ctx, agreement, event.charge);
  else await scheduleSync(ctx, agreement);
}

async function applyEvent(ctx: Command, { event, charge }: Received): Promise<void> {
  if (!(await insertEvent(ctx.db, ctx.businessId, event.id, ctx.now))) return;
  if ('agreementId' in event) return applyToAgreement(ctx, event);
  if (isAboutCharge(event)) {
    if (charge) await applyChargeState(ctx, event, charge);
    return;
  }
  const payment = await findPayment(ctx.db, ctx.businessId, event.paymentId);
  if (!payment) return;
  if (event.kind === 'PAID') await completePayment(ctx, payment, event);
  else if (payment.sessionId !== null && payment.sessionId !== event.sessionId) return;
  else if (event.kind === 'FAILED') await declinePayment(ctx, payment);
  else await closePayment(ctx, payment);
}
