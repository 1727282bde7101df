import { done, type StepsOf } from '../../context/index.ts';
import { type PaymentEvent, SignatureInvalid } from '../../providers/payments/port.ts';
import { badRequest } from '../../shared/errors.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { providerSecrets } from '../businesses/index.ts';
import { applyCharge, lookSoon } from './agreements/agreements.ts';
import { findByProviderId } from './agreements/queries.ts';
import type { Command, PaymentServices, Steps } from './context.ts';
import { closePayment, completePayment, declinePayment } from './outcomes.ts';
import { findPayment, insertEvent } from './queries.ts';

export type SignedEvent = { payload: unknown; signature: string | undefined };

/** What Stripe tells us. The event is noted in the transaction of its effect, so it has one effect. */
export const receiveEvent: StepsOf<PaymentServices, SignedEvent, PaymentEvent | null, never, typeof SUCCESS> = {
  prepare: readEvent,
  execute: async (ctx, _input, event) => {
    if (event) await applyEvent(ctx, event);
    return done(SUCCESS);
  },
};

/** Raises 400 when the event is not Stripe's. Null: it is about something else. */
async function readEvent(ctx: Steps, { payload, signature }: SignedEvent): Promise<PaymentEvent | null> {
  const { webhookSecret, type } = await providerSecrets(ctx, ctx.businessId);
  if (type !== 'STRIPE' || !webhookSecret || !signature || !Buffer.isBuffer(payload)) throw badSignature();
  return ctx.payments.stripe.readEvent(payload, signature, webhookSecret).catch((error) => {
    throw error instanceof SignatureInvalid ? badSignature() : error;
  });
}

const badSignature = () => badRequest('The signature is missing or not right.');

/** Of an agreement that is not known yet its own job will ask the provider. */
async function applyToAgreement(ctx: Command, event: Extract<PaymentEvent, { agreementId: string }>): Promise<void> {
  const agreement = await findByProviderId(ctx.db, ctx.businessId, event.agreementId);
  if (!agreement) return;
  if (event.kind === 'CHARGED') await applyCharge(ctx, agreement, event.charge);
  else await lookSoon(ctx, agreement);
}

async function applyEvent(ctx: Command, event: PaymentEvent): Promise<void> {
  if (!(await insertEvent(ctx.db, ctx.businessId, event.id, ctx.now))) return;
  if ('agreementId' in event) return applyToAgreement(ctx, event);
  const payment = await findPayment(ctx.db, ctx.businessId, event.paymentId);
  if (!payment) return;
  if (event.kind === 'PAID') await completePayment(ctx, payment, event);
  else if (payment.sessionId !== null && payment.sessionId !== event.sessionId) return;
  else if (event.kind === 'FAILED') await declinePayment(ctx, payment);
  else await closePayment(ctx, payment);
}
