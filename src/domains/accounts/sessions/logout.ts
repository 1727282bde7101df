import { invalid, unauthenticated } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { command } from '../context.ts';
import { badOrigin } from '../oauth/check-login-urls.ts';
import { badProvider, findProviderKind } from '../oauth/providers.ts';
import { endSession } from './end-session.ts';
import type { LogoutInput } from './schemas.ts';
import type { Claims } from './tokens.ts';

/** `presented`: the token in the Authorization header. */
type Input = LogoutInput & { presented: string | null };

/** Ends the session of the access or refresh token in the body, or of the presented token if the body has none. */
export const logout = command({
  async prepare(ctx, { provider, token: sent, originUrl, presented }: Input): Promise<Claims> {
    const { tokens, idp } = ctx.accounts;
    if (provider !== undefined && (await findProviderKind(ctx, provider)) === null)
      throw badProvider('EMAIL', 'GUEST', 'PASSKEY', 'SSO');
    const token = sent ?? presented;
    const claims = token && ((await tokens.read('access', token)) ?? (await tokens.read('refresh', token)));
    if (!claims) throw unauthenticated('The token is invalid, expired or revoked.');
    if (claims.provider === idp?.name && originUrl !== undefined && !ctx.origins.isOAuthOrigin(originUrl)) {
      throw invalid([badOrigin()]);
    }
    return claims;
  },
  async execute(ctx, { sub, sid }) {
    if (!(await endSession(ctx, sub, sid))) throw unauthenticated('The session has already ended.');
    return SUCCESS;
  },
});
