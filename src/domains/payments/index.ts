/**
 * Payments: getting money through a provider, for whatever is sold. A **payment** is one attempt: OPEN while it can be paid,
 * then PAID or CLOSED. A **session** is what the provider calls it. A **refund** gives some of the money back. The **purpose**
 * of a payment says what is sold, and its **handlers** (`handle`, `onPaid`) what happens to that. An **agreement** is a payment
 * that renews: a **charge** for each period, until it is cancelled (room `agreements/`).
 *
 * Invariants: a payment and a refund are committed before the provider is asked, so that news always finds them, and their ids
 * are the provider's idempotency keys, so that asking again is harmless. Providers are called outside of transactions. Money
 * has its effect once. An open payment is looked at until it is not open any more. Locks are taken in this order: what is
 * sold, payment, refund.
 */
import type { Platform } from '../../context/index.ts';
import { createSandbox } from '../../providers/payments/sandbox.ts';
import { createStripe } from '../../providers/payments/stripe.ts';
import { deriveKey } from '../../shared/secrets.ts';
import { registerAgreementJobs } from './agreements/sync-agreement.ts';
import { createHandlers } from './handlers.ts';
import { registerJobs } from './jobs.ts';

export { KeyRefused } from '../../providers/payments/port.ts';
export { endAgreement, wish } from './agreements/agreements.ts';
export { INTERVALS, type Interval, isInterval } from './agreements/periods.ts';
export { type Play, playAgreement } from './agreements/play-agreement.ts';
export { openPortal } from './agreements/portal.ts';
export {
  type AgreementRow,
  type ChargeRow,
  listAgreementsFor,
  listCharges,
  updateEnding,
} from './agreements/queries.ts';
export { endAtProvider, syncAgreement } from './agreements/sync-agreement.ts';
export { beginPayment } from './begin-payment.ts';
export type { PaymentServices } from './context.ts';
export { endAtProviderOf } from './end-at-provider.ts';
export type { PaymentHandlers } from './handlers.ts';
export { closePayment } from './outcomes.ts';
export { actOnPayment, type PayAction, type PaymentView, showPayment } from './payment-page.ts';
export { erasePayers, listPlanPayments } from './personal-data.ts';
export { findPayment, insertPayment, lockPayment, type PaymentLine, type PaymentRow, updateAmount } from './queries.ts';
export { makeRefund, reserveRefund } from './refund.ts';
export { type RefundRow, sumRefunds } from './refund-queries.ts';
export { type NewPayment, openSession, preparePayment } from './sessions.ts';
export { endPayment } from './watch.ts';

export function createPayments(platform: Platform) {
  const { config, publicUrl } = platform;
  registerJobs(platform);
  registerAgreementJobs(platform);
  return {
    sandbox: createSandbox(deriveKey(config.secretKey, 'sandbox-payments'), publicUrl),
    stripe: createStripe(config.stripeApiBase),
    ...createHandlers(),
  };
}

export type Payments = ReturnType<typeof createPayments>;
