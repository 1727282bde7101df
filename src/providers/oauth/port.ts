/** Who the identity provider says somebody is. Every text can be stored: the rest was refused or cleaned. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | null;
  /** Null: the provider does not say. */
  emailVerified: boolean | null;
  name: string;
};

/** Kept, sealed, to be revoked at logout. */
export type IdpTokens = { accessToken: string; refreshToken: string | null };

/** What binds the way there and the way back together. */
export type FlowSecrets = { state: string; nonce: string };

export type Exchanged = {
  identity: Identity;
  tokens: IdpTokens;
  /** Of the ID token: it names the flow that the code comes from. */
  nonce: string;
};

export type IdentityProvider = {
  /** The name that clients send as `provider`. */
  name: string;
  newSecrets(): FlowSecrets;
  authorizationUrl(flow: FlowSecrets & { redirectUrl: string }): Promise<string>;
  /** Raises `CodeRefused` when the provider does not take the code, or answers what cannot be used. */
  exchange(back: { redirectUrl: string; code: string }): Promise<Exchanged>;
  /** Safe to repeat. */
  revoke(tokens: IdpTokens): Promise<void>;
};

/** The code was used, has expired, or was made for somebody else. */
export class CodeRefused extends Error {}
