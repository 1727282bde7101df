/** Secrets of the identity provider are stored hashed or encrypted. */
import { createHash } from 'node:crypto';
import type { Config } from '../../../config.ts';
import type { IdpTokens } from '../../../providers/oauth/port.ts';
import { deriveKey, seal, unseal } from '../../../shared/security/secrets.ts';

type Sealing = { config: Config };

/** Hashes a state or nonce. They are random, so a plain hash can't be brute-forced. */
export const hashSecret = (text: string) => createHash('sha256').update(text).digest();

export const sealIdpTokens = ({ config }: Sealing, tokens: IdpTokens): string =>
  seal(idpTokensKey(config), JSON.stringify(tokens), 'idp-tokens');

export const unsealIdpTokens = ({ config }: Sealing, sealed: string): IdpTokens =>
  JSON.parse(unseal(idpTokensKey(config), sealed, 'idp-tokens'));

const idpTokensKey = ({ secretKey }: Config) => deriveKey(secretKey, 'idp-tokens');
