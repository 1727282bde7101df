import { randomUUID } from 'node:crypto';
import { createSigner } from '../../shared/signing.ts';
import type { PaymentProvider } from './port.ts';

/**
 * A provider without money: the customer pays on a page of our own. The page's token names the payment and is signed; all
 * state is in our own row of the payment, so there is nothing to ask and nothing to wait for.
 */
export function createSandbox(key: Buffer, publicUrl: () => string) {
  const signer = createSigner(key);

  function tokenOf(businessId: string, paymentId: string): string {
    const payload = Buffer.from(`${businessId} ${paymentId}`).toString('base64url');
    return `${payload}.${signer.sign(payload)}`;
  }

  /** Null when the token is not one of ours. */
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
    // All state of an agreement is in our own row: nobody asks.
    findAgreement: async () => ({ status: 'ACTIVE', periodEnd: 0, cancelsAtPeriodEnd: false, charge: null }),
    changeAgreement: async () => {},
    portalUrl: async (_customerId, returnUrl) => returnUrl,
  };

  return { provider, urlOf, readToken };
}

export type Sandbox = ReturnType<typeof createSandbox>;
