import { createHash, randomBytes } from 'node:crypto';

export const MASK = '****';

export const newApiKey = () => `souk_${randomBytes(24).toString('base64url')}`;

/** Publishable keys are not secret: they are never accepted as API keys. */
export const isPublishable = (token: string) => token.startsWith('pk_');

/** Contains the business ID, so that only its keys are searched. */
export const newPublishableKey = (businessId: string) => `pk_${businessId}_${randomBytes(12).toString('hex')}`;

/** The business of a publishable key. Null if the value has a different format. */
export const businessOfKey = (value: string) => /^pk_(.+)_[0-9a-f]{24}$/.exec(value)?.[1] ?? null;

export const hashApiKey = (value: string) => createHash('sha256').update(value).digest();

export const maskKey = (lastFour: string) => `${MASK}${lastFour}`;

/** Whether the token looks like one of our access tokens. Such a value is never accepted as an API key. */
export const isJwt = (token: string) => token.startsWith('eyJ') && token.includes('.');
