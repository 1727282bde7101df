import * as openid from 'openid-client';
import { unavailable } from '../../shared/errors.ts';
import { CodeRefused, type Identity, type IdentityProvider, type IdpTokens } from './port.ts';

export type OpenIdSettings = { issuer: string; clientId: string; clientSecret: string | null; name: string };

const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid email profile';

/** Any provider with OpenID Connect discovery. Its metadata is read at the first login, and again after a failure. */
export function openIdProvider({ issuer, clientId, clientSecret, name }: OpenIdSettings): IdentityProvider {
  let known: Promise<openid.Configuration> | undefined;

  /** Only an http issuer, as on a developer's machine, may be spoken to without TLS. */
  function configuration(): Promise<openid.Configuration> {
    const execute = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
    known ??= openid
      .discovery(new URL(issuer), clientId, clientSecret ?? undefined, clientSecret ? undefined : openid.None(), {
        execute,
        timeout: TIMEOUT_SECONDS,
      })
      .catch((error) => {
        known = undefined;
        throw unavailableBecause(error);
      });
    return known;
  }

  async function identityOf(
    config: openid.Configuration,
    tokens: openid.TokenEndpointResponseHelpers,
    accessToken: string,
  ) {
    const claims = tokens.claims()!;
    if (claims.email !== undefined && claims.email_verified !== undefined) return toIdentity(claims);
    const info = await openid.fetchUserInfo(config, accessToken, claims.sub);
    return toIdentity({ ...info, ...claims });
  }

  return {
    name,
    newSecrets: () => ({
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    }),
    async authorizationUrl({ state, nonce, verifier, redirectUrl }) {
      const config = await configuration();
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUrl,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href;
    },
    async exchange({ state, nonce, verifier, redirectUrl, code }) {
      const config = await configuration();
      const back = new URL(redirectUrl);
      back.search = new URLSearchParams({ code, state, iss: config.serverMetadata().issuer }).toString();
      try {
        const checks = {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        };
        const tokens = await openid.authorizationCodeGrant(config, back, checks);
        return {
          identity: await identityOf(config, tokens, tokens.access_token),
          tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? null },
        };
      } catch (error) {
        throw isOutage(error)
          ? unavailableBecause(error)
          : new CodeRefused('The provider refused the code.', { cause: error });
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

function toIdentity(claims: Record<string, unknown> & { iss: string; sub: string }): Identity {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  const full = text(claims.name) || `${text(claims.given_name)} ${text(claims.family_name)}`;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: text(claims.email) || null,
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: full
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 200),
  };
}

/** The provider is away or failing, as opposed to refusing. */
function isOutage(error: unknown): boolean {
  if (error instanceof openid.ResponseBodyError) return error.status >= 500;
  if (error instanceof openid.ClientError) return error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT';
  return error instanceof TypeError;
}

function unavailableBecause(error: unknown) {
  const problem = unavailable('The identity provider does not answer. Try again soon.');
  problem.cause = error;
  return problem;
}
