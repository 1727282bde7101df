import type { StepsOf } from '../../../context/index.ts';
import { invalid, unauthenticated } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { badOrigin } from '../oauth/check-addresses.ts';
import { endSession } from './end-session.ts';
import type { LogoutInput } from './schemas.ts';
import type { Claims } from './tokens.ts';

/** `presented`: the token in the header. */
type Input = LogoutInput & { presented: string | null };

/** Ends the session of the token in the body, access or refresh, or else of the one that was presented. */
export const logout: StepsOf<AccountServices, Input, Claims, typeof SUCCESS, typeof SUCCESS> = {
  async prepare({ accounts: { tokens, idp }, origins }, { token: sent, originUrl, presented }) {
    const token = sent ?? presented;
    const claims = token && ((await tokens.read('access', token)) ?? (await tokens.read('refresh', token)));
    if (!claims) throw unauthenticated('The token is not valid, has expired or was revoked.');
    if (claims.provider === idp?.name && originUrl !== undefined && !origins.isOAuthOrigin(originUrl)) {
      throw invalid([badOrigin()]);
    }
    return claims;
  },
  async execute(ctx, _input, { sub, sid }) {
    if (!(await endSession(ctx, sub, sid))) throw unauthenticated('The session has ended already.');
    return SUCCESS;
  },
};
