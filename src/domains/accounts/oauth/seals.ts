/** What is stored of the identity provider's secrets: hashes, or sealed. */
import { createHash } from 'node:crypto';
import type { Config } from '../../../config.ts';
import type { IdpTokens } from '../../../providers/oauth/port.ts';
import { deriveKey, seal, unseal } from '../../../shared/secrets.ts';

type Sealing = { config: Config };

/** Of a state or nonce, which are random enough not to be guessed from it. */
export const hashSecret = (text: string) => createHash('sha256').update(text).digest();

export const sealIdpTokens = ({ config }: Sealing, tokens: IdpTokens): string =>
  seal(idpTokensKey(config), JSON.stringify(tokens), 'idp-tokens');

export const unsealIdpTokens = ({ config }: Sealing, sealed: string): IdpTokens =>
  JSON.parse(unseal(idpTokensKey(config), sealed, 'idp-tokens'));

const idpTokensKey = ({ secretKey }: Config) => deriveKey(secretKey, 'idp-tokens');
