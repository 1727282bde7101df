import type { Tx } from '../../db/connection.ts';
import { newId } from '../../shared/ids.ts';
import type { AccountsContext } from './context.ts';
import { insertSession } from './queries.ts';
import type { AuthResult } from './schemas.ts';
import { ACCESS_SECONDS } from './tokens.ts';

export const GUEST_SECONDS = 30 * 86_400;

type SessionUser = { id: string; email: string | null; isGuest?: boolean };

/** Begins a session and returns its tokens. `lifeSeconds: null`: it lasts until it is ended. */
export async function beginSession(
  context: Pick<AccountsContext, 'clock' | 'tokens'>,
  tx: Tx,
  user: SessionUser,
  provider: string,
  lifeSeconds: number | null,
  idpTokens: string | null = null,
): Promise<AuthResult & { sessionId: string }> {
  const now = context.clock.seconds();
  const expiresAt = lifeSeconds === null ? null : now + lifeSeconds;
  const id = newId('ses');
  await insertSession(tx, { id, userId: user.id, provider, idpTokens, createdAt: now, expiresAt });
  const refreshToken = context.tokens.issue('refresh', claimsOf(user, id, provider), expiresAt);
  return { sessionId: id, ...authResult(context, user, { id, provider }, refreshToken) };
}

/** A new access token beside the session's refresh token. */
export function authResult(
  { clock, tokens }: Pick<AccountsContext, 'clock' | 'tokens'>,
  user: SessionUser,
  session: { id: string; provider: string },
  refreshToken: string,
): AuthResult {
  const expiresAt = clock.seconds() + ACCESS_SECONDS;
  const isGuest = user.isGuest ?? session.provider === 'GUEST';
  return {
    userId: user.id,
    provider: session.provider,
    accessToken: tokens.issue('access', claimsOf(user, session.id, session.provider), expiresAt),
    refreshToken,
    tokenType: 'Bearer',
    expiresAt,
    scope: isGuest ? 'guest' : 'user',
    isGuest,
  };
}

const claimsOf = (user: SessionUser, sid: string, provider: string) => ({
  sub: user.id,
  sid,
  provider,
  ...(user.email ? { email: user.email } : {}),
});
