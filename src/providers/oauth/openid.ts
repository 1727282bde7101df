import * as openid from 'openid-client';
import { unavailable } from '../../shared/errors.ts';
import { deriveKey } from '../../shared/security/secrets.ts';
import { createSigner } from '../../shared/security/signing.ts';
import { boundedFetch, Unreachable } from './bounded-fetch.ts';
import { toIdentity } from './identity.ts';
import { CodeRefused, type IdentityProvider, type IdpTokens } from './port.ts';

type OpenIdSettings = { issuer: string; clientId: string; clientSecret: string | null; name: string };

const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid email profile';

/** Any provider with OpenID Connect discovery. Its metadata is loaded at the first login, and again after a failure. */
export function openIdProvider(
  settings: OpenIdSettings,
  masterSecret: string,
  fetchBounded: typeof boundedFetch = boundedFetch,
): IdentityProvider {
  const { issuer, clientId, clientSecret, name } = settings;
  const signer = createSigner(deriveKey(masterSecret, 'pkce'));
  let known: Promise<openid.Configuration> | undefined;

  /** Plain HTTP is only allowed if the issuer itself is an http URL, as on a developer's machine. */
  function configuration(): Promise<openid.Configuration> {
    const execute = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
    known ??= openid
      .discovery(new URL(issuer), clientId, clientSecret ?? undefined, clientSecret ? undefined : openid.None(), {
        execute,
        timeout: TIMEOUT_SECONDS,
        [openid.customFetch]: fetchBounded,
      })
      .catch((error) => {
        known = undefined;
        throw unavailableBecause(error);
      });
    return known;
  }

  /**
   * All logins with the same redirect URL share this PKCE verifier. So a code can be exchanged before its login is known.
   * The nonce in the ID token identifies the login.
   */
  const verifierOf = (redirectUrl: string) => signer.sign(`${issuer}\n${clientId}\n${redirectUrl}`);

  async function allClaims(
    config: openid.Configuration,
    claims: openid.IDToken,
    accessToken: string,
    needed: string[],
  ) {
    const isComplete = needed.every((name) => claims[name] !== undefined);
    if (isComplete || !config.serverMetadata().userinfo_endpoint) return claims;
    const info = await openid.fetchUserInfo(config, accessToken, claims.sub);
    return { ...info, ...claims };
  }

  return {
    name,
    newSecrets: () => ({ state: openid.randomState(), nonce: openid.randomNonce() }),
    async authorizationUrl({ state, nonce, redirectUrl }) {
      const config = await configuration();
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUrl,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifierOf(redirectUrl)),
        code_challenge_method: 'S256',
      }).href;
    },
    async exchange({ redirectUrl, code, claim }) {
      const config = await configuration();
      try {
        // Not `authorizationCodeGrant`, which requires the nonce beforehand.
        const tokens = await openid.genericGrantRequest(config, 'authorization_code', {
          code,
          redirect_uri: redirectUrl,
          code_verifier: verifierOf(redirectUrl),
        });
        const claims = tokens.claims();
        if (typeof claims?.nonce !== 'string') throw new CodeRefused('The response has no ID token with a nonce');
        const needed = ['email', 'email_verified', ...(claim === undefined ? [] : [claim])];
        const all = await allClaims(config, claims, tokens.access_token, needed);
        return {
          identity: toIdentity(all),
          claims: all,
          nonce: claims.nonce,
          tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? null },
        };
      } catch (error) {
        throw isOutage(error)
          ? unavailableBecause(error)
          : new CodeRefused('The provider rejected the code', { cause: error });
      }
    },
    async revoke({ accessToken, refreshToken }: IdpTokens) {
      const config = await configuration();
      if (!config.serverMetadata().revocation_endpoint) return;
      if (refreshToken) await openid.tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' });
      await openid.tokenRevocation(config, accessToken, { token_type_hint: 'access_token' });
    },
  };
}

/** The provider is unreachable or failing, as opposed to rejecting the request. */
function isOutage(error: unknown): boolean {
  if (error instanceof openid.ResponseBodyError) return error.status >= 500;
  if (error instanceof openid.ClientError) {
    const isFailure = error.cause instanceof Response && error.cause.status >= 500;
    return isFailure || error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT';
  }
  return error instanceof Unreachable;
}

function unavailableBecause(error: unknown) {
  const problem = unavailable('The identity provider is not responding. Try again later.');
  problem.cause = error;
  return problem;
}
