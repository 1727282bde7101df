/** What is stored of the identity provider's secrets, sealed. */
import { createHash } from 'node:crypto';
import type { Config } from '../../../config.ts';
import type { FlowSecrets, IdpTokens } from '../../../providers/oauth/port.ts';
import { deriveKey, seal, unseal } from '../../../shared/secrets.ts';

type Sealing = { config: Config };

export const hashState = (state: string) => createHash('sha256').update(state).digest();

export const sealFlow = ({ config }: Sealing, stateHash: Buffer, secrets: FlowSecrets): string =>
  seal(flowKey(config), JSON.stringify(secrets), stateHash.toString('hex'));

export const unsealFlow = ({ config }: Sealing, stateHash: Buffer, sealed: string): FlowSecrets =>
  JSON.parse(unseal(flowKey(config), sealed, stateHash.toString('hex')));

export const sealIdpTokens = ({ config }: Sealing, tokens: IdpTokens): string =>
  seal(idpTokensKey(config), JSON.stringify(tokens), 'idp-tokens');

export const unsealIdpTokens = ({ config }: Sealing, sealed: string): IdpTokens =>
  JSON.parse(unseal(idpTokensKey(config), sealed, 'idp-tokens'));

const flowKey = ({ secretKey }: Config) => deriveKey(secretKey, 'oauth-flows');
const idpTokensKey = ({ secretKey }: Config) => deriveKey(secretKey, 'idp-tokens');
