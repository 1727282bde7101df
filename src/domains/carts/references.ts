import { deriveKey } from '../../shared/security/secrets.ts';
import { createSigner } from '../../shared/security/signing.ts';

/** An order is attributed to a send if one of its links was followed within this time before the order. */
const COUNTED_SECONDS = 7 * 86_400;

/** The send that led to a cart, and when the link was followed. */
export type Attribution = { sendId: string; at: number };

/**
 * Signed references to a send, the parameter `souk_ref` of links in newsletters. They identify no one and are passed on from page to page,
 * so nothing is stored in the browser.
 */
export function createReferences(secretKey: string) {
  const signer = createSigner(deriveKey(secretKey, 'send-reference'), 16);
  const signed = (businessId: string, text: string) => signer.sign(`${businessId}.${text}`);
  return {
    token({ businessId, sendId }: { businessId: string; sendId: string }, nowSeconds: number): string {
      const text = `${sendId}.${nowSeconds.toString(36)}`;
      return `${text}.${signed(businessId, text)}`;
    },
    /** Null if it is forged, from another business, or too old. */
    read(businessId: string, token: string, nowSeconds: number): Attribution | null {
      const [sendId, time, signature, ...rest] = token.split('.');
      if (!sendId || !time || !signature || rest.length > 0) return null;
      if (!signer.verify(`${businessId}.${sendId}.${time}`, signature)) return null;
      const attribution = { sendId, at: Number.parseInt(time, 36) };
      return isCounted(attribution, nowSeconds) ? attribution : null;
    },
  };
}

export const isCounted = ({ at }: Attribution, nowSeconds: number) => nowSeconds - at < COUNTED_SECONDS;
