import { createHash, randomBytes } from 'node:crypto';

export const MASK = '****';

export const newApiKey = () => `souk_${randomBytes(24).toString('base64url')}`;

export const hashApiKey = (value: string) => createHash('sha256').update(value).digest();

export const maskKey = (lastFour: string) => `${MASK}${lastFour}`;

/** Looks like one of our own tokens: never taken for an API key, so never accepted as one. */
export const isJwt = (token: string) => token.startsWith('eyJ') && token.includes('.');
