import { createHash, randomBytes } from 'node:crypto';

export type InvitationToken = { businessId: string; id: string; secretHash: Buffer };

/** Creates a token for the email and the hash to store. The token contains the business, so only its rows are searched. */
export function newToken(businessId: string, id: string): { token: string; secretHash: Buffer } {
  const secret = randomBytes(24).toString('hex');
  return { token: `${businessId}.${id}.${secret}`, secretHash: hashOf(secret) };
}

/** Null if the token is malformed. */
export function readToken(token: string): InvitationToken | null {
  const [businessId, id, secret, ...rest] = token.split('.');
  return businessId && id && secret && rest.length === 0 ? { businessId, id, secretHash: hashOf(secret) } : null;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest();
