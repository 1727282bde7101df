import { createHmac } from 'node:crypto';
import type { Config } from '../../../config.ts';
import { invalidField } from '../../../shared/errors.ts';
import { deriveKey } from '../../../shared/security/secrets.ts';

export const CODE_SECONDS = 600;
export const MAX_TRIES = 5;

/** Hashes the code with a secret key, because a plain hash of six digits can be brute-forced from the table. */
export const hashLoginCode = ({ config }: { config: Config }, challenge: string, code: string): Buffer =>
  createHmac('sha256', deriveKey(config.secretKey, 'login-codes')).update(`${challenge}\n${code}`).digest();

export const invalidCode = () =>
  invalidField(
    'code',
    'CODE_INVALID',
    'The code is incorrect, has expired or was requested in another browser. Check it or request a new one.',
  );
