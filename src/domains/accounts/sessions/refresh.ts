import { badRequest, unauthenticated } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { providerKind } from '../oauth/providers.ts';
import { issueAccess } from './open-session.ts';
import { findCallerBySession, updateSessionUse } from './queries.ts';
import type { AuthResult, RefreshInput } from './schemas.ts';

/** `lastUsedAt` is not written more often than this, so that many refreshes at once do not wait for the row. */
const USE_SECONDS = 60;

/** A new access token; the refresh token stays the same, so that any number of calls at once all succeed. */
export async function refresh(ctx: Steps, { provider, refreshToken }: RefreshInput): Promise<AuthResult> {
  if (provider !== undefined && providerKind(ctx, provider) === null) throw badRequest('Invalid provider.');
  const claims = await ctx.accounts.tokens.read('refresh', refreshToken);
  const remember = ctx.accounts.gate.beginReading();
  const session = claims && (await findCallerBySession(ctx.quick, claims.sid, ctx.now));
  if (!session) throw unauthenticated('The refresh token is not valid, has expired or was revoked.');
  if ((session.lastUsedAt ?? 0) <= ctx.now - USE_SECONDS) {
    await ctx.write((tx) => updateSessionUse(tx, session.sessionId, ctx.now));
  }
  return issueAccess(ctx, session, refreshToken, remember);
}
