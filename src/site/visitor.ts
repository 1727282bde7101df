import { randomBytes } from 'node:crypto';
import { type Caller, NO_FACTORS } from '../shared/security/caller.ts';
import { isEqualSecret } from '../shared/security/compare.ts';

/** Reads only what guests can read, for pages that are the same for all visitors. */
export const VISITOR: Caller = {
  userId: 'visitor',
  provider: 'GUEST',
  email: null,
  isGuest: true,
  isConfirmed: false,
  name: '',
  sessionId: null,
  keyId: null,
  permissions: new Map(),
  factors: NO_FACTORS,
};

/** The token of the visitor. It is new in every process and never leaves it. */
export const VISITOR_TOKEN = `visitor_${randomBytes(32).toString('base64url')}`;

export const isVisitor = (token: string) =>
  token.length === VISITOR_TOKEN.length && isEqualSecret(token, VISITOR_TOKEN);
