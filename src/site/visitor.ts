import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Caller, NO_FACTORS } from '../shared/security/caller.ts';

/** Reads what every guest may read, for pages that are the same for all visitors. */
export const VISITOR: Caller = {
  userId: 'visitor',
  provider: 'GUEST',
  email: null,
  isGuest: true,
  isConfirmed: false,
  sessionId: null,
  keyId: null,
  permissions: new Map(),
  factors: NO_FACTORS,
};

/** The token of the visitor. It is new in every process and never leaves it. */
export const VISITOR_TOKEN = `visitor_${randomBytes(32).toString('base64url')}`;
const own = Buffer.from(VISITOR_TOKEN);

export const isVisitor = (token: string) =>
  token.length === VISITOR_TOKEN.length &&
  timingSafeEqual(Buffer.from(token.padEnd(own.length)).subarray(0, own.length), own);
