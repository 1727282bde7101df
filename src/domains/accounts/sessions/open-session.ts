import { unauthenticated } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { findCallerBySession, type SessionCallerRow } from './queries.ts';
import type { AuthResult } from './schemas.ts';
import { ACCESS_SECONDS } from './tokens.ts';

/** The tokens of a session that was begun and committed. Its caller is remembered, so the first request reads nothing. */
export async function openSession(ctx: Steps, sessionId: string): Promise<AuthResult> {
  const remember = ctx.accounts.gate.beginReading();
  const row = await findCallerBySession(ctx.quick, sessionId, ctx.now);
  if (!row) throw unauthenticated('The session was ended by a change of the account. Log in again.');
  return issueAccess(ctx, row, await issueRefresh(ctx, row), remember);
}

/** Good for as long as the session. */
export const issueRefresh = (ctx: Steps, row: SessionCallerRow): Promise<string> =>
  ctx.accounts.tokens.issue({ ...claimsOf(ctx, row), typ: 'refresh', exp: row.expiresAt });

/** A new access token beside the session's refresh token. `remember` was made before the row was read or written. */
export async function issueAccess(
  ctx: Steps,
  row: SessionCallerRow,
  refreshToken: string,
  remember: (token: string, row: SessionCallerRow, expiresAt: number) => void,
): Promise<AuthResult> {
  const expiresAt = ctx.now + ACCESS_SECONDS;
  const accessToken = await ctx.accounts.tokens.issue({ ...claimsOf(ctx, row), typ: 'access', exp: expiresAt });
  remember(accessToken, row, expiresAt);
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

const claimsOf = ({ now }: Steps, { userId, sessionId, provider, email }: SessionCallerRow) => ({
  sub: userId,
  sid: sessionId,
  provider,
  iat: now,
  ...(email ? { email } : {}),
});
