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
  /** The subscription whose link was used. */
  referrerId?: string | undefined;
};

/** Tokens for the links in confirmation emails, signed with their own key. */
export function createConfirmTokens(key: Buffer) {
  const signer = createSigner(key);

  return {
    token({ businessId, subscriptionId, planId, name, requestedAt, form, referrerId }: Confirmation): string {
      const fields = [
        businessId,
        subscriptionId,
        planId,
        name,
        requestedAt,
        ...(form || referrerId ? [form, referrerId] : []),
      ];
      const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
      return `${payload}.${signer.sign(payload)}`;
    },
    /** Returns null if the token is invalid. Does not check expiry. */
    read(text: string): Confirmation | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !signer.verify(payload, signature)) return null;
      const [businessId, subscriptionId, planId, name, requestedAt, form, referrerId] = JSON.parse(
        Buffer.from(payload, 'base64url').toString(),
      );
      return { businessId, subscriptionId, planId, name, requestedAt, form: form ?? undefined, referrerId };
    },
  };
}
