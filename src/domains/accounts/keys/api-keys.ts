import { createHash } from 'node:crypto';

export const MASK = '****';

export const hashApiKey = (value: string) => createHash('sha256').update(value).digest();

export const maskKey = (lastFour: string) => `${MASK}${lastFour}`;

/** Looks like one of our own tokens: never taken for an API key, so never accepted as one. */
export const isJwt = (token: string) => token.startsWith('eyJ') && token.includes('.');
