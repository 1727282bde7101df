/** The identity from the provider. All strings can be stored: they were validated or cleaned. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | null;
  /** Null if the provider does not specify it. */
  emailVerified: boolean | null;
  name: string;
};

/** Stored encrypted, to be revoked at logout. */
export type IdpTokens = { accessToken: string; refreshToken: string | null };

/** Random values that bind the callback to the login that started it. */
type FlowSecrets = { state: string; nonce: string };

type Exchanged = {
  identity: Identity;
  /** The claims of the ID token and, if needed, of the userinfo response. */
  claims: Readonly<Record<string, unknown>>;
  tokens: IdpTokens;
  /** The nonce in the ID token. It identifies the login flow. */
  nonce: string;
};

export type IdentityProvider = {
  /** The name that clients send as `provider`. */
  name: string;
  newSecrets(): FlowSecrets;
  authorizationUrl(flow: FlowSecrets & { redirectUrl: string }): Promise<string>;
  /** `claim`: a claim to read from the userinfo response if the ID token lacks it. Throws `CodeRefused` if the provider rejects the code or sends an unusable response. */
  exchange(back: { redirectUrl: string; code: string; claim?: string }): Promise<Exchanged>;
  /** Safe to repeat. */
  revoke(tokens: IdpTokens): Promise<void>;
};

/** The code was used, has expired, or was issued for another client. */
export class CodeRefused extends Error {}
