/** The interface of payment providers. Calls are made outside transactions. */
export type SessionRequest = {
  /** Our ID. A retry with the same ID returns the same session. */
  paymentId: string;
  businessId: string;
  description: string;
  /** Add up to `amount`; a discount is a negative item. */
  lines: readonly { name: string; quantity: number; unitPrice: number }[];
  amount: number;
  currency: string;
  email: string | null;
  returnUrl: string;
  cancelUrl: string;
  createdAt: number;
  expiresAt: number;
  /** Charge the customer repeatedly at this interval, until canceled. */
  interval?: 'WEEKLY' | 'MONTHLY' | 'YEARLY' | undefined;
};

export type Session = { id: string; url: string };

export type SessionState = { status: 'OPEN' } | { status: 'EXPIRED' } | ({ status: 'PAID' } & Money);

/** The amount received. `agreement`: the recurring agreement that the payment started. */
export type Money = { amount: number; currency: string; chargeId: string | null; agreement?: AgreementRef };

/** The provider's IDs of an agreement, its customer, and its first charge. */
export type AgreementRef = { id: string; customerId: string | null; chargeId: string | null };

/** One period of an agreement, paid or failed. The ID is the provider's. */
export type Charge = { id: string; status: 'PAID' | 'FAILED'; amount: number; currency: string; periodEnd: number };

export type AgreementState = {
  status: 'ACTIVE' | 'PAST_DUE' | 'ENDED';
  periodEnd: number;
  cancelsAtPeriodEnd: boolean;
  /** The latest charge. */
  charge: Charge | null;
};

type RefundRequest = {
  refundId: string;
  chargeId: string | null;
  amount: number;
  /** Whether the provider may have dropped the idempotency key since the first attempt. If so, look for the refund first. */
  isOld: boolean;
};

/** The provider's record of a refund, made by us or in the provider's dashboard. */
export type ProviderRefund = {
  id: string;
  /** Our ID, if we made it. */
  refundId: string | null;
  amount: number;
  reason: string | null;
  /** A refund that succeeded can fail later. A failed refund never succeeds later. */
  status: 'SUCCEEDED' | 'FAILED';
};

/** A charge that the customer disputed with their bank. */
export type Dispute = { id: string; amount: number; reason: string | null; status: 'OPEN' | 'WON' | 'LOST' };

export type PaymentProvider = {
  createSession(request: SessionRequest): Promise<Session>;
  findSession(sessionId: string): Promise<SessionState>;
  /** Closes the session. Returns EXPIRED, or PAID if the customer paid first. */
  expireSession(sessionId: string): Promise<SessionState>;
  /** Retries with the same `refundId` refund only once. */
  refund(request: RefundRequest): Promise<{ id: string }>;
  /** The payment of a charge, and all its refunds. Null if the charge is not ours. */
  findCharge(chargeId: string): Promise<{ paymentId: string; refunds: ProviderRefund[] } | null>;
  findDispute(id: string): Promise<Dispute | null>;
  /** Also returns ENDED if the provider has no such agreement. */
  findAgreement(id: string): Promise<AgreementState>;
  /** Renew, cancel at the end of the period, or end now. Safe to repeat. */
  changeAgreement(id: string, requested: 'RENEW' | 'CANCEL' | 'END'): Promise<void>;
  /** The page where customers update their card and see their invoices. */
  portalUrl(customerId: string, returnUrl: string): Promise<string>;
};

/** A provider event with a verified signature. */
export type PaymentEvent = { id: string } & (
  | ({ paymentId: string; sessionId: string } & (({ kind: 'PAID' } & Money) | { kind: 'FAILED' } | { kind: 'EXPIRED' }))
  | { kind: 'REFUND_CHANGED'; chargeId: string }
  | { kind: 'DISPUTE_CHANGED'; chargeId: string; disputeId: string }
  | { kind: 'CHARGED'; agreementId: string; charge: Charge }
  | { kind: 'AGREEMENT_CHANGED'; agreementId: string }
);

/** The provider rejected the request, so a retry can't succeed. Other errors may be temporary. */
export class PaymentRefused extends Error {}

/** The provider rejects the API key. Nothing works until the business fixes it. */
export class KeyRefused extends PaymentRefused {}

/** The event is not signed by the provider, or its timestamp is out of range. */
export class SignatureInvalid extends Error {}
