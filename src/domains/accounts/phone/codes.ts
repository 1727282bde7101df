import { createHmac, randomInt } from 'node:crypto';
import type { Config } from '../../../config.ts';
import { deriveKey } from '../../../shared/secrets.ts';

export const CODE_SECONDS = 600;
export const RESEND_SECONDS = 60;
export const MAX_TRIES = 5;

export const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** With a key: six digits alone could be tried out by anybody who reads the table. */
export function hashCode({ secretKey }: Config, userId: string, phoneNumber: string, code: string): Buffer {
  const key = deriveKey(secretKey, 'phone-codes');
  return createHmac('sha256', key).update(`${userId}\n${phoneNumber}\n${code}`).digest();
}
