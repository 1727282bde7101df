import { randomUUID } from 'node:crypto';
import { createSigner } from '../../shared/security/signing.ts';
import type { PaymentProvider } from './port.ts';

/**
 * A provider without real money: the customer pays on our own page. The page's signed token identifies the
 * payment; all state is in our payment row, so nothing needs to be fetched or awaited.
 */
export function createSandbox(key: Buffer, publicUrl: () => string) {
  const signer = createSigner(key);

  function tokenOf(businessId: string, paymentId: string): string {
    const payload = Buffer.from(`${businessId} ${paymentId}`).toString('base64url');
    return `${payload}.${signer.sign(payload)}`;
  }

  /** Returns null if the token is not ours. */
  function readToken(token: string): { businessId: string; paymentId: string } | null {
    const [payload = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || !signer.verify(payload, signature)) return null;
    const [businessId = '', paymentId = ''] = Buffer.from(payload, 'base64url').toString().split(' ');
    return { businessId, paymentId };
  }

  const urlOf = (businessId: string, paymentId: string) => `${publicUrl()}/pay/${tokenOf(businessId, paymentId)}`;

  const provider: PaymentProvider = {
    createSession: async ({ businessId, paymentId }) => ({ id: paymentId, url: urlOf(businessId, paymentId) }),
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
