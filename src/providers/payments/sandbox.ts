import { randomUUID } from 'node:crypto';
import { createSigner } from '../../shared/security/signing.ts';
import type { PaymentProvider } from './port.ts';

type Ids = { businessId: string; id: string };
/** Identifies a payment and usually what it is for, so that the purchase can be locked before the payment is read. */
export type PaymentKey = Ids | (Ids & { purpose: string; reference: string });

/**
 * A provider without real money: the customer pays on our own page. The page's signed token identifies the
 * payment; all state is in our payment row, so nothing needs to be fetched or awaited.
 */
export function createSandbox(key: Buffer, publicUrl: () => string) {
  const signer = createSigner(key);

  function tokenOf(payment: PaymentKey): string {
    const purchase = 'reference' in payment ? ` ${payment.purpose} ${payment.reference}` : '';
    const payload = Buffer.from(`${payment.businessId} ${payment.id}${purchase}`).toString('base64url');
    return `${payload}.${signer.sign(payload)}`;
  }

  /** Returns null if the token is not ours. */
  function readToken(token: string): PaymentKey | null {
    const [payload = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || !signer.verify(payload, signature)) return null;
    const [businessId = '', id = '', purpose, reference] = Buffer.from(payload, 'base64url').toString().split(' ');
    return purpose && reference ? { businessId, id, purpose, reference } : { businessId, id };
  }

  const urlOf = (payment: PaymentKey) => `${publicUrl()}/pay/${tokenOf(payment)}`;

  const provider: PaymentProvider = {
    createSession: async ({ businessId, paymentId }) => ({
      id: paymentId,
      url: urlOf({ businessId, id: paymentId }),
    }),
    findSession: async () => ({ status: 'OPEN' }),
    expireSession: async () => ({ status: 'EXPIRED' }),
    refund: async () => ({ id: `sandbox_${randomUUID()}` }),
    // Sandbox charges change only here, and sandbox agreements are synced from our own rows, so the methods below are never called.
    findCharge: async () => null,
    findDispute: async () => null,
    findAgreement: async () => ({ status: 'ACTIVE', periodEnd: 0, cancelsAtPeriodEnd: false, charge: null }),
    changeAgreement: async () => {},
    portalUrl: async (_customerId, returnUrl) => returnUrl,
  };

  return { provider, urlOf, readToken };
}

export type Sandbox = ReturnType<typeof createSandbox>;
