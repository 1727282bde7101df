import type { StepsOf } from '../../../context/index.ts';
import { spend } from '../../../db/limits.ts';
import { CodeRefused, type Identity } from '../../../providers/oauth/port.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { badRequest, invalid, invalidField } from '../../../shared/errors.ts';
import type { AccountServices, Steps } from '../context.ts';
import { updateLastLogin } from '../passwords/queries.ts';
import { findInvited } from '../registration.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { openSession } from '../sessions/open-session.ts';
import type { AuthResult, LoginInput } from '../sessions/schemas.ts';
import { badOrigin } from './check-addresses.ts';
import { findOrLink } from './find-or-link.ts';
import { claimFlow, findFlow, findRedirect, upsertRedirect } from './flow-queries.ts';
import { hashSecret, sealIdpTokens } from './seals.ts';

type Exchanged = {
  provider: string;
  identity: Identity;
  idpTokens: string;
  flow: { nonceHash: Buffer; stateHash: Buffer | null; origin: string };
  invited: string | null;
};

/**
 * The second half of a login at the identity provider: the code is exchanged, and the person found, linked or created. The
 * flow is taken out only then, by the nonce of the ID token: a wrong code changes nothing for anybody.
 */
export const oauthLogin: StepsOf<AccountServices, LoginInput, Exchanged, string, AuthResult> = {
  async prepare(ctx, { code, originUrl, state, invitationToken }) {
    const { idp, limits } = ctx.accounts;
    await spend(ctx, limits.address, addressKey(ctx.address));
    if (!code || !idp) {
      throw badRequest('code is required.', [{ field: 'code', error: 'REQUIRED', message: 'code is required.' }]);
    }
    if (originUrl === undefined || !ctx.origins.isOAuthOrigin(originUrl)) throw invalid([badOrigin()]);
    const { origin } = new URL(originUrl);
    const stateHash = state === undefined ? null : hashSecret(state);
    const redirectUrl = await findRedirectUrl(ctx, stateHash, origin);
    const { identity, tokens, nonce } = await idp.exchange({ redirectUrl, code }).catch((error) => {
      throw error instanceof CodeRefused ? codeInvalid() : error;
    });
    return {
      provider: idp.name,
      identity,
      idpTokens: sealIdpTokens(ctx, tokens),
      flow: { nonceHash: hashSecret(nonce), stateHash, origin },
      invited: await findInvited(ctx, invitationToken),
    };
  },
  async execute(ctx, _input, { provider, identity, idpTokens, flow, invited }) {
    const claimed = await claimFlow(ctx.db, flow, ctx.now);
    if (!claimed) throw codeInvalid();
    const user = await findOrLink(ctx, identity, invited);
    await upsertRedirect(ctx.db, claimed, ctx.now);
    await updateLastLogin(ctx.db, user.id, user.passwordVersion, ctx.now);
    return beginSession(ctx, { userId: user.id, provider, lifeSeconds: null, idpTokens });
  },
  afterCommit: openSession,
};

/** The provider checks that a code comes with the address it was sent to. */
async function findRedirectUrl(ctx: Steps, stateHash: Buffer | null, origin: string): Promise<string> {
  const flow = stateHash && (await findFlow(ctx.db, stateHash, ctx.now));
  if (flow && flow.origin !== origin) throw invalid([badOrigin()]);
  const redirectUrl = stateHash
    ? flow?.redirectUrl
    : await findRedirect(ctx.db, origin, addressKey(ctx.address), ctx.now);
  if (!redirectUrl) {
    throw invalidField(
      'state',
      'STATE_INVALID',
      'This login was not begun here, has expired or was used. Begin it again.',
    );
  }
  return redirectUrl;
}

const codeInvalid = () => invalidField('code', 'CODE_INVALID', 'The code is not valid. Begin the login again.');
