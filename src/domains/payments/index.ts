/**
 * Payments through a provider, for any kind of **purchase**. A **payment** is one attempt: OPEN while it can be paid, then PAID or
 * CLOSED. A **session** is the provider's counterpart to it. A **refund** returns some of the money. The **purpose** of a payment
 * names the kind of purchase, whose **handlers** react to the payment. An **agreement** is a recurring payment with a **charge**
 * for each period, until it is canceled (`agreements/`).
 *
 * Invariants: payments and refunds are committed before the provider is called, so that its events always find them. Their IDs are
 * the provider's idempotency keys, so that retries are harmless. Providers are called outside of transactions. A payment takes
 * effect once. Open payments are polled until they close. Lock order: purchase, payment, refund.
 */
import type { Platform } from '../../context/index.ts';
import { createSandbox } from '../../providers/payments/sandbox.ts';
import { createStripe } from '../../providers/payments/stripe.ts';
import { deriveKey } from '../../shared/security/secrets.ts';
import { handleAgreements } from './agreements/sync-agreement.ts';
import type { PaymentHandlers } from './handlers.ts';
import { registerJobs } from './jobs.ts';
import type { Payments } from './service.ts';

export { KeyRefused } from '../../providers/payments/port.ts';
export { requestAgreementChange } from './agreements/agreements.ts';
export { addInterval, INTERVALS, isInterval } from './agreements/periods.ts';
export { openPortal } from './agreements/portal.ts';
export {
  type AgreementRow,
  listAgreementsFor,
  listCharges,
  listLapsed,
  updateEnding,
} from './agreements/queries.ts';
export { type SandboxOutcome, simulatePeriodEnd } from './agreements/simulate-period-end.ts';
export { endAgreementAtProvider } from './agreements/sync-agreement.ts';
export { beginPayment } from './begin-payment.ts';
export type { PaymentServices } from './context.ts';
export { endBusinessAtProvider } from './end-at-provider.ts';
export type { PaymentHandlers } from './handlers.ts';
export { closePayment } from './outcomes.ts';
export { actOnPayment, type PaymentView, showPayment } from './payment-page.ts';
export { erasePayers, listPlanPayments } from './personal-data.ts';
export { isSandboxOn } from './provider.ts';
export {
  findPayment,
  insertPayment,
  lockPayment,
  type PaymentLine,
  type PaymentRow,
  updateAmount,
  upsertPayment,
} from './queries.ts';
export { finishRefund, issueRefund, reserveRefund } from './refund.ts';
export {
  insertRefund,
  listRefunds,
  listRefundsAmong,
  type RefundRow,
  sumRefunds,
  updateRefundParts,
} from './refund-queries.ts';
export { openResumedPayment, prepareResumedPayment } from './resume-payment.ts';
export { type NewPayment, openSession, preparePayment } from './sessions.ts';
export { endPayment } from './watch.ts';

/** Handlers by purpose. */
type HandlersByPurpose = Readonly<Record<'ORDER' | 'SUBSCRIPTION', PaymentHandlers<unknown>>>;

export function createPayments(platform: Platform, handlers: HandlersByPurpose): Payments {
  const { config, publicUrl } = platform;
  registerJobs(platform);
  handleAgreements(platform);
  const byPurpose = new Map<string, PaymentHandlers<unknown>>(Object.entries(handlers));
  return {
    sandbox: createSandbox(deriveKey(config.secretKey, 'sandbox-payments'), publicUrl),
    stripe: createStripe(config.stripeApiBase),
    handlersOf(purpose) {
      const found = byPurpose.get(purpose);
      if (!found) throw new Error(`No payment handlers for purpose ${purpose}.`);
      return found;
    },
  };
}
