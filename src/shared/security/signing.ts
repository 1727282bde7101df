import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA256 with one key, truncated to `bytes`. Signatures are compared as text (base64url without padding), because decoding
 * ignores some bits of the last base64 character. Tokens that never expire contain these signatures, so their bytes must not change.
 */
export function createSigner(key: Buffer, bytes = 32) {
  // Created once, because that is most of the cost of a signature.
  const secret = createSecretKey(key);
  const digest = (text: string): Buffer => createHmac('sha256', secret).update(text).digest().subarray(0, bytes);
  const sign = (text: string): string => digest(text).toString('base64url');

  return {
    digest,
    sign,
    /** Takes constant time for digests of the right length. */
    verifyDigest: (text: string, given: Buffer): boolean =>
      given.length === bytes && timingSafeEqual(given, digest(text)),
    /** Takes constant time for signatures of the right length. */
    verify(text: string, signature: string): boolean {
      const given = Buffer.from(signature);
      const expected = Buffer.from(sign(text));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
