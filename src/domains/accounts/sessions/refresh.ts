import { done } from '../../../context/command.ts';
import { unauthenticated } from '../../../shared/errors.ts';
import { command } from '../context.ts';
import { badProvider, findProviderKind } from '../oauth/providers.ts';
import { issueAccess } from './open-session.ts';
import { findCallerBySession, updateSessionUse } from './queries.ts';
import type { RefreshInput } from './schemas.ts';

/** `lastUsedAt` is written at most this often, so that concurrent refreshes don't wait for the row lock. */
const USE_SECONDS = 60;

/** Issues a new access token. The refresh token stays the same, so concurrent refreshes all succeed. */
export const refresh = command({
  async prepare(ctx, { provider, refreshToken }: RefreshInput) {
    if (provider !== undefined && (await findProviderKind(ctx, provider)) === null) {
      throw badProvider('EMAIL', 'GUEST', 'PASSKEY', 'SSO');
    }
    const claims = await ctx.accounts.tokens.read('refresh', refreshToken);
    const cacheCaller = ctx.accounts.authenticator.beginReading();
    const session = claims && (await findCallerBySession(ctx.quick, claims.sid, ctx.now));
    if (!session) throw unauthenticated('The refresh token is invalid, expired or revoked.');
    const result = await issueAccess(ctx, session, refreshToken, cacheCaller);
    const isUseRecorded = (session.lastUsedAt ?? 0) > ctx.now - USE_SECONDS;
    return isUseRecorded ? done(result) : { result, sessionId: session.sessionId };
  },
  async execute(ctx, { result, sessionId }) {
    await updateSessionUse(ctx.db, sessionId, ctx.now);
    return result;
  },
});
