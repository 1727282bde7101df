import type { StepsOf } from '../../../context/index.ts';
import { badRequest, invalid, unauthenticated } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { badOrigin } from '../oauth/check-addresses.ts';
import { providerKind } from '../oauth/providers.ts';
import { endSession } from './end-session.ts';
import type { LogoutInput } from './schemas.ts';
import type { Claims } from './tokens.ts';

/** `presented`: the token in the header. */
type Input = LogoutInput & { presented: string | null };

/** Ends the session of the token in the body, access or refresh, or else of the one that was presented. */
export const logout: StepsOf<AccountServices, Input, Claims, typeof SUCCESS, typeof SUCCESS> = {
  async prepare(ctx, { provider, token: sent, originUrl, presented }) {
    const { tokens, idp } = ctx.accounts;
    if (provider !== undefined && providerKind(ctx, provider) === null) throw badRequest('Invalid provider.');
    const token = sent ?? presented;
    const claims = token && ((await tokens.read('access', token)) ?? (await tokens.read('refresh', token)));
    if (!claims) throw unauthenticated('The token is not valid, has expired or was revoked.');
    if (claims.provider === idp?.name && originUrl !== undefined && !ctx.origins.isOAuthOrigin(originUrl)) {
      throw invalid([badOrigin()]);
    }
    return claims;
  },
  async execute(ctx, _input, { sub, sid }) {
    if (!(await endSession(ctx, sub, sid))) throw unauthenticated('The session has ended already.');
    return SUCCESS;
  },
};
