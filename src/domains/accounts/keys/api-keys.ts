import { createHash, randomBytes } from 'node:crypto';

export const MASK = '****';

export const newApiKey = () => `souk_${randomBytes(24).toString('base64url')}`;

export const hashApiKey = (value: string) => createHash('sha256').update(value).digest();

export const maskKey = (lastFour: string) => `${MASK}${lastFour}`;

/** Whether the token looks like one of our access tokens. Such a value is never accepted as an API key. */
export const isJwt = (token: string) => token.startsWith('eyJ') && token.includes('.');
