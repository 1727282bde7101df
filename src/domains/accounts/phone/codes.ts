import { randomInt } from 'node:crypto';
import { deriveKey } from '../../../shared/security/secrets.ts';
import { createSigner } from '../../../shared/security/signing.ts';

export const CODE_SECONDS = 600;
export const RESEND_SECONDS = 60;
export const MAX_TRIES = 5;

export const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** Hashes codes with a secret key, because a plain hash of six digits can be brute-forced from the table. */
export function createCodeHash(masterSecret: string) {
  const signer = createSigner(deriveKey(masterSecret, 'phone-codes'));
  return (userId: string, phoneNumber: string, code: string) => signer.digest(`${userId}\n${phoneNumber}\n${code}`);
}
