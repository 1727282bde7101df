import type { Dispute } from '../../providers/payments/port.ts';
import type { AgreementRow } from './agreements/queries.ts';
import type { Command } from './context.ts';
import type { PaymentRow } from './queries.ts';
import type { RefundRow } from './refund-queries.ts';

/** REQUEST: requested here, so its amount is reserved. PROVIDER: made in the provider's dashboard. */
export type RefundOrigin = 'REQUEST' | 'PROVIDER' | 'DISPUTE';

/**
 * Callbacks of the domain that sells the **purchase**, the order or subscription being paid for. They run in the transaction that
 * changes the payment or refund. They are declared as methods, so that implementations may require the services of their own
 * domain: every context has all services of the app.
 */
export type PaymentHandlers<Purchase> = {
  /** Reads and locks the purchase, before the payment is locked. */
  lock(ctx: Command, reference: string): Promise<Purchase>;
  /** Returns REFUND if the purchase is no longer available. */
  paid(ctx: Command, payment: PaymentRow, purchase: Purchase): Promise<'REFUND' | 'ACCEPT'>;
  /** The customer paid too little or in another currency. The payment is refunded and can't be paid again. */
  mismatched?(ctx: Command, payment: PaymentRow, purchase: Purchase): Promise<void>;
  /** The payment was declined but can still be paid. */
  declined?(ctx: Command, payment: PaymentRow, purchase: Purchase): Promise<void>;
  /** The payment can no longer be paid. */
  closed?(ctx: Command, payment: PaymentRow, purchase: Purchase): Promise<void>;
  /** The customer canceled the payment. */
  abandoned?(ctx: Command, payment: PaymentRow, purchase: Purchase): Promise<void>;
  /** The provider has made the refund. */
  refunded?(ctx: Command, refund: RefundRow, purchase: Purchase, origin: RefundOrigin): Promise<void>;
  /** A refund that the provider had made has failed, so the business has the money again. */
  refundReversed?(ctx: Command, refund: RefundRow, purchase: Purchase): Promise<void>;
  /** A dispute was opened, won or lost. Called for each event about it; if it is lost, `refunded` is called too. */
  disputed?(ctx: Command, dispute: Dispute, purchase: Purchase): Promise<void>;
  /** The provider refused the refund. */
  refundFailed?(ctx: Command, refund: RefundRow, purchase: Purchase): Promise<void>;
  /** Another period was paid. Called once per period. */
  renewed?(ctx: Command, agreement: AgreementRow, purchase: Purchase): Promise<void>;
  /** Charging the next period failed. Called once per period; the provider keeps trying. */
  renewalFailed?(ctx: Command, agreement: AgreementRow, purchase: Purchase): Promise<void>;
  /** The agreement no longer renews, and its last period is over or was abandoned. */
  ended?(ctx: Command, agreement: AgreementRow, purchase: Purchase): Promise<void>;
};
