import { inTransaction } from '../../db/connection.ts';
import { badRequest, unauthenticated } from '../../shared/errors.ts';
import type { AccountsContext } from './context.ts';
import { providerKind } from './providers.ts';
import { findCallerBySession, updateSessionUse } from './queries.ts';
import type { AuthResult, RefreshInput } from './schemas.ts';
import { authResult } from './sessions.ts';

/** A new access token; the refresh token stays the same, so that any number of calls at once all succeed. */
export async function refresh(context: AccountsContext, { provider, refreshToken }: RefreshInput): Promise<AuthResult> {
  if (provider !== undefined && providerKind(context, provider) === null) throw badRequest('Invalid provider.');
  const claims = await context.tokens.read('refresh', refreshToken);
  const now = context.clock.seconds();
  const session = claims && (await findCallerBySession(context.pool, claims.sid, now));
  if (!session) throw unauthenticated('The refresh token is not valid, has expired or was revoked.');
  await inTransaction(context.pool, (tx) => updateSessionUse(tx, claims.sid, now));
  const user = { id: session.userId, email: session.email, isGuest: session.isGuest };
  return authResult(context, user, { id: claims.sid, provider: session.provider }, refreshToken);
}
