import { done, type StepsOf } from '../../context/index.ts';
import { type PaymentEvent, SignatureInvalid } from '../../providers/payments/port.ts';
import { badRequest } from '../../shared/errors.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { providerSecrets } from '../businesses/index.ts';
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

async function applyEvent(ctx: Command, event: PaymentEvent): Promise<void> {
  if (!(await insertEvent(ctx.db, ctx.businessId, event.id, ctx.now))) return;
  const payment = await findPayment(ctx.db, ctx.businessId, event.paymentId);
  if (!payment) return;
  if (event.kind === 'PAID') await completePayment(ctx, payment, event);
  else if (payment.sessionId !== null && payment.sessionId !== event.sessionId) return;
  else if (event.kind === 'FAILED') await declinePayment(ctx, payment);
  else await closePayment(ctx, payment);
}
