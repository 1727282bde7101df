import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA256 with one key, cut to its first `bytes`. A signature has exactly one spelling (base64url without padding): it is
 * compared as text, because the last character of base64 may hold bits that decoding ignores. Tokens that never expire carry
 * these signatures, so their bytes must not change.
 */
export function createSigner(key: Buffer, bytes = 32) {
  // Prepared once: that is most of what a signature costs.
  const secret = createSecretKey(key);
  const digest = (text: string): Buffer => createHmac('sha256', secret).update(text).digest().subarray(0, bytes);
  const sign = (text: string): string => digest(text).toString('base64url');

  return {
    digest,
    sign,
    /** In constant time for every signature of the right length. */
    verify(text: string, signature: string): boolean {
      const given = Buffer.from(signature);
      const expected = Buffer.from(sign(text));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
