import { createSigner } from '../../../../shared/security/signing.ts';

export const CONFIRM_SECONDS = 7 * 86_400;

/** A request to subscribe. Each link confirms its own request, so that a later request by a stranger can't change it. */
export type Confirmation = {
  businessId: string;
  subscriptionId: string;
  planId: string;
  name: string;
  requestedAt: number;
  /** The form it was requested with, and what was entered there. */
  form?: { id: string; fields: Readonly<Record<string, string>> } | undefined;
  /** The subscription whose referral link was used. */
  referrerId?: string | undefined;
  /** For a paid plan: the payment that confirms the subscription. Only the link in the email has its ID. */
  paymentId?: string | undefined;
};

/** Tokens for the links in confirmation emails, signed with their own key. */
export function createConfirmTokens(key: Buffer) {
  const signer = createSigner(key);

  return {
    token({ businessId, subscriptionId, planId, name, requestedAt, ...optional }: Confirmation): string {
      const { form, referrerId, paymentId } = optional;
      const fields = [
        businessId,
        subscriptionId,
        planId,
        name,
        requestedAt,
        ...(form || referrerId || paymentId ? [form, referrerId, paymentId] : []),
      ];
      const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
      return `${payload}.${signer.sign(payload)}`;
    },
    /** Returns null if the token is invalid. Does not check expiry. */
    read(text: string): Confirmation | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !signer.verify(payload, signature)) return null;
      const fields = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const [businessId, subscriptionId, planId, name, requestedAt, form, referrerId, paymentId] = fields;
      return {
        businessId,
        subscriptionId,
        planId,
        name,
        requestedAt,
        form: form ?? undefined,
        referrerId: referrerId ?? undefined,
        paymentId: paymentId ?? undefined,
      };
    },
  };
}
