import { createSigner } from '../../../shared/signing.ts';

export const CONFIRM_SECONDS = 7 * 86_400;

/** What is confirmed: each link stands for its own request, so that a later one of a stranger puts nothing under it. */
export type Confirmation = {
  businessId: string;
  subscriptionId: string;
  planId: string;
  name: string;
  requestedAt: number;
};

/** What the link in a mail carries that asks whether somebody wants a newsletter, signed with a key of its own. */
export function createConfirmTokens(key: Buffer) {
  const signer = createSigner(key);

  return {
    token({ businessId, subscriptionId, planId, name, requestedAt }: Confirmation): string {
      const fields = [businessId, subscriptionId, planId, name, requestedAt];
      const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
      return `${payload}.${signer.sign(payload)}`;
    },
    /** Null when it is not one of ours. It may have expired. */
    read(text: string): Confirmation | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !signer.verify(payload, signature)) return null;
      const [businessId, subscriptionId, planId, name, requestedAt] = JSON.parse(
        Buffer.from(payload, 'base64url').toString(),
      );
      return { businessId, subscriptionId, planId, name, requestedAt };
    },
  };
}
