/** Who the identity provider says somebody is. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | null;
  /** Only a verified e-mail may open an account that has it. */
  emailVerified: boolean;
  name: string;
};

/** Kept, sealed, to be revoked at logout. */
export type IdpTokens = { accessToken: string; refreshToken: string | null };

/** What binds the way there and the way back together: kept by us between the two. */
export type FlowSecrets = { state: string; nonce: string; verifier: string };

export type IdentityProvider = {
  /** The name that clients send as `provider`. */
  name: string;
  newSecrets(): FlowSecrets;
  authorizationUrl(flow: FlowSecrets & { redirectUrl: string }): Promise<string>;
  /** Raises `CodeRefused` when the code is not good for this flow. */
  exchange(
    flow: FlowSecrets & { redirectUrl: string; code: string },
  ): Promise<{ identity: Identity; tokens: IdpTokens }>;
  /** Safe to repeat. */
  revoke(tokens: IdpTokens): Promise<void>;
};

/** The code was used, has expired, or belongs to another flow. */
export class CodeRefused extends Error {}
