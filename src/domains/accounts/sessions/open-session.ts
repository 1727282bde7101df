import { secondFactorRequired, unauthenticated } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { findCallerBySession, type SessionCallerRow } from './queries.ts';
import type { AuthResult } from './schemas.ts';
import { ACCESS_SECONDS } from './tokens.ts';

/**
 * Issues the tokens of a committed session and caches its caller, so that the first request needs no database read. Throws 401
 * SECOND_FACTOR_REQUIRED if `beginSession` has returned a challenge.
 */
export async function openSession(ctx: Steps, begun: string): Promise<AuthResult> {
  const due = ctx.accounts.challenges.read('LOGIN', begun, ctx.now);
  if (due) throw secondFactorRequired({ challenge: begun, methods: [...due.methods, 'RECOVERY_CODE'] });
  const cacheCaller = ctx.accounts.authenticator.beginReading();
  const row = await findCallerBySession(ctx.quick, begun, ctx.now);
  if (!row) throw unauthenticated('The session ended because the account has changed. Log in again.');
  return issueAccess(ctx, row, await issueRefresh(ctx, row), cacheCaller);
}

/** The refresh token expires with the session. */
export const issueRefresh = (ctx: Steps, row: SessionCallerRow): Promise<string> =>
  ctx.accounts.tokens.issue({ ...claimsOf(ctx, row), typ: 'refresh', exp: row.expiresAt });

/** Issues a new access token. Get `cacheCaller` from `beginReading` before you read or write the row. */
export async function issueAccess(
  ctx: Steps,
  row: SessionCallerRow,
  refreshToken: string,
  cacheCaller: (token: string, row: SessionCallerRow, expiresAt: number) => void,
): Promise<AuthResult> {
  const expiresAt = Math.min(ctx.now + ACCESS_SECONDS, row.expiresAt ?? Number.POSITIVE_INFINITY);
  const accessToken = await ctx.accounts.tokens.issue({ ...claimsOf(ctx, row), typ: 'access', exp: expiresAt });
  cacheCaller(accessToken, row, expiresAt);
  return {
    userId: row.userId,
    provider: row.provider,
    accessToken,
    refreshToken,
    tokenType: 'Bearer',
    expiresAt,
    scope: row.isGuest ? 'guest' : 'user',
    isGuest: row.isGuest,
  };
}

const claimsOf = ({ now }: Steps, { userId, sessionId, provider, email, supportBy }: SessionCallerRow) => ({
  sub: userId,
  sid: sessionId,
  provider,
  iat: now,
  ...(email ? { email } : {}),
  ...(supportBy ? { act: { sub: supportBy } } : {}),
});
