import { consumeLimit } from '../../../db/limits.ts';
import { CodeRefused, type Identity } from '../../../providers/oauth/port.ts';
import { badRequest, invalid, invalidField } from '../../../shared/errors.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command, type Steps } from '../context.ts';
import { updateLastLogin } from '../passwords/queries.ts';
import { findInvitedEmail } from '../registration.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { openSession } from '../sessions/open-session.ts';
import type { LoginInput } from '../sessions/schemas.ts';
import { badOrigin } from './check-login-urls.ts';
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
 * Completes a login with the identity provider: exchanges the code, then finds, links or creates the user. The flow is claimed
 * only after the exchange, by the nonce of the ID token, so a wrong code can't invalidate anyone's flow.
 */
export const oauthLogin = command({
  async prepare(ctx, { code, originUrl, state, invitationToken }: LoginInput): Promise<Exchanged> {
    const { idp, limits } = ctx.accounts;
    await consumeLimit(ctx, limits.address, addressKey(ctx.address));
    if (!code || !idp) {
      throw badRequest('code is required.', [{ field: 'code', error: 'REQUIRED', message: 'code is required.' }]);
    }
    if (originUrl === undefined || !ctx.origins.isOAuthOrigin(originUrl)) throw invalid([badOrigin()]);
    const { origin } = new URL(originUrl);
    const stateHash = state === undefined ? null : hashSecret(state);
    const redirectUrl = await findRedirectUrl(ctx, stateHash, origin);
    const { identity, tokens, nonce } = await idp.exchange({ redirectUrl, code }).catch((error) => {
      throw error instanceof CodeRefused ? invalidCode() : error;
    });
    return {
      provider: idp.name,
      identity,
      idpTokens: sealIdpTokens(ctx, tokens),
      flow: { nonceHash: hashSecret(nonce), stateHash, origin },
      invited: await findInvitedEmail(ctx, invitationToken),
    };
  },
  async execute(ctx, { provider, identity, idpTokens, flow, invited }) {
    const claimed = await claimFlow(ctx.db, flow, ctx.now);
    if (!claimed) throw invalidCode();
    const user = await findOrLink(ctx, identity, invited);
    await upsertRedirect(ctx.db, claimed, ctx.now);
    await updateLastLogin(ctx.db, user.id, user.passwordVersion, ctx.now);
    return beginSession(ctx, { userId: user.id, provider, lifeSeconds: null, idpTokens });
  },
  afterCommit: openSession,
});

/** The provider requires the redirect URL that the code was issued for. */
async function findRedirectUrl(ctx: Steps, stateHash: Buffer | null, origin: string): Promise<string> {
  const flow = stateHash && (await findFlow(ctx.db, stateHash, null, ctx.now));
  if (flow && flow.origin !== origin) throw invalid([badOrigin()]);
  const redirectUrl = stateHash
    ? flow?.redirectUrl
    : await findRedirect(ctx.db, origin, addressKey(ctx.address), ctx.now);
  if (!redirectUrl) throw invalidState();
  return redirectUrl;
}

export const invalidState = () =>
  invalidField(
    'state',
    'STATE_INVALID',
    'The login was not started here, has expired or was already completed. Start again.',
  );

export const invalidCode = () => invalidField('code', 'CODE_INVALID', 'The code is invalid. Start the login again.');
