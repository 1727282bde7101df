import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A key for one purpose, derived from SECRET_KEY: a leak of one tells nothing of the others. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'souk', purpose, 32));
}

/** AES-256-GCM. `context` binds the sealed text to its place, so that it cannot be moved to another row. */
export function seal(key: Buffer, plaintext: string, context: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** The inverse of `seal`. Throws when key, context or text do not fit. */
export function unseal(key: Buffer, sealed: string, context: string): string {
  if (!sealed.startsWith('v1.')) throw new Error('Unknown format of a sealed secret.');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new Error('A stored secret cannot be opened: SECRET_KEY is not the one it was sealed with.');
  }
}
