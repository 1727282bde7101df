import type { StepsOf } from '../../../context/index.ts';
import { spend } from '../../../db/limits.ts';
import { CodeRefused, type Identity } from '../../../providers/oauth/port.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { badRequest, invalid, invalidField } from '../../../shared/errors.ts';
import type { AccountServices, Steps } from '../context.ts';
import { updateLastLogin } from '../passwords/queries.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { openSession } from '../sessions/open-session.ts';
import type { AuthResult, LoginInput } from '../sessions/schemas.ts';
import { badOrigin } from './check-addresses.ts';
import { findOrLink } from './find-or-link.ts';
import { claimFlow, claimLatestFlow, type FlowRow } from './queries.ts';
import { hashState, sealIdpTokens, unsealFlow } from './seals.ts';

type Exchanged = { provider: string; identity: Identity; idpTokens: string };

/** The second half of a login at the identity provider: the code is exchanged, and the person found, linked or created. */
export const oauthLogin: StepsOf<AccountServices, LoginInput, Exchanged, string, AuthResult> = {
  async prepare(ctx, { code, originUrl, state }) {
    const { idp, limits } = ctx.accounts;
    await spend(ctx, limits.address, addressKey(ctx.address));
    if (!code || !idp) {
      throw badRequest('code is required.', [{ field: 'code', error: 'REQUIRED', message: 'code is required.' }]);
    }
    if (originUrl === undefined || !ctx.origins.isOAuthOrigin(originUrl)) throw invalid([badOrigin()]);
    const { stateHash, sealed, redirectUrl } = await takeFlow(ctx, state, new URL(originUrl).origin);
    const secrets = unsealFlow(ctx, stateHash, sealed);
    const { identity, tokens } = await idp.exchange({ ...secrets, redirectUrl, code }).catch((error) => {
      throw error instanceof CodeRefused ? invalidField('code', 'CODE_INVALID', 'The code is not valid.') : error;
    });
    return { provider: idp.name, identity, idpTokens: sealIdpTokens(ctx, tokens) };
  },
  async execute(ctx, _input, { provider, identity, idpTokens }) {
    const user = await findOrLink(ctx, identity);
    await updateLastLogin(ctx.db, user.id, user.passwordVersion, ctx.now);
    return beginSession(ctx, { userId: user.id, provider, lifeSeconds: null, idpTokens });
  },
  afterCommit: openSession,
};

/** By the state, or for clients that do not send it back by address and site. */
async function takeFlow(ctx: Steps, state: string | undefined, origin: string): Promise<FlowRow> {
  const flow = await ctx.write((tx) =>
    state === undefined
      ? claimLatestFlow(tx, origin, addressKey(ctx.address), ctx.now)
      : claimFlow(tx, hashState(state), ctx.now),
  );
  if (!flow) throw invalidField('state', 'STATE_INVALID', 'This login was not begun here, has expired or was used.');
  if (flow.origin !== origin) throw invalid([badOrigin()]);
  return flow;
}
