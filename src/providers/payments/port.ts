/** What a payment provider does for us. Its calls are made outside of transactions. */
export type SessionRequest = {
  /** Ours; a repeat with the same id gives the same session. */
  paymentId: string;
  businessId: string;
  description: string;
  /** They add up to `amount`; a discount is a negative line. */
  lines: readonly { name: string; quantity: number; unitPrice: number }[];
  amount: number;
  currency: string;
  email: string | null;
  returnUrl: string;
  cancelUrl: string;
  createdAt: number;
  expiresAt: number;
  /** The customer pays this again after each of these, until it is cancelled. */
  interval?: 'WEEKLY' | 'MONTHLY' | 'YEARLY' | undefined;
};

export type Session = { id: string; url: string };

export type SessionState = { status: 'OPEN' } | { status: 'EXPIRED' } | ({ status: 'PAID' } & Money);

/** What has arrived; `agreement`: what was begun with it, when it renews. */
export type Money = { amount: number; currency: string; chargeId: string | null; agreement?: AgreementRef };

/** The provider's names for an agreement, for who pays, and for its first charge. */
export type AgreementRef = { id: string; customerId: string | null; chargeId: string | null };

/** One period of an agreement, paid or not; the id is the provider's. */
export type Charge = { id: string; status: 'PAID' | 'FAILED'; amount: number; currency: string; periodEnd: number };

export type AgreementState = {
  status: 'ACTIVE' | 'PAST_DUE' | 'ENDED';
  periodEnd: number;
  cancelsAtPeriodEnd: boolean;
  /** The last one. */
  charge: Charge | null;
};

export type RefundRequest = {
  refundId: string;
  chargeId: string | null;
  amount: number;
  /** The first time was long ago: the provider may have forgotten the key, so it is asked for the refund itself first. */
  isOld: boolean;
};

export type PaymentProvider = {
  createSession(request: SessionRequest): Promise<Session>;
  findSession(sessionId: string): Promise<SessionState>;
  /** Afterwards the session cannot be paid: EXPIRED, or PAID when the customer was faster. */
  expireSession(sessionId: string): Promise<SessionState>;
  /** A repeat with the same `refundId` gives the money back once. */
  refund(request: RefundRequest): Promise<{ id: string }>;
  /** ENDED also where the provider does not know it. */
  findAgreement(id: string): Promise<AgreementState>;
  /** Renew, cancel at the end of the period, or end now. Safe to repeat. */
  changeAgreement(id: string, wanted: 'RENEW' | 'CANCEL' | 'END'): Promise<void>;
  /** Where customers change their card and see their invoices. */
  portalUrl(customerId: string, returnUrl: string): Promise<string>;
};

/** News from a provider, whose signature has been checked. */
export type PaymentEvent = { id: string } & (
  | ({ paymentId: string; sessionId: string } & (({ kind: 'PAID' } & Money) | { kind: 'FAILED' } | { kind: 'EXPIRED' }))
  | { kind: 'CHARGED'; agreementId: string; charge: Charge }
  | { kind: 'AGREEMENT_CHANGED'; agreementId: string }
);

/** The provider has understood and said no: to try again is of no use. Any other error may pass. */
export class PaymentRefused extends Error {}

/** The provider does not take the business's key: nothing can be done until the business has mended it. */
export class KeyRefused extends PaymentRefused {}

/** The event is not the provider's, or not of these minutes. */
export class SignatureInvalid extends Error {}
