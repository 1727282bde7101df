import type { Platform } from '../../../context/index.ts';
import type { IdentityProvider } from '../../../providers/oauth/port.ts';
import { createOutbound } from '../../../providers/outbound/index.ts';
import { deriveKey, seal, unseal } from '../../../shared/security/secrets.ts';
import type { Connection } from './queries.ts';

const MAX_PROVIDERS = 500;

export type SsoProvider = (connection: Connection) => Promise<IdentityProvider>;

/** Creates the provider of a connection and caches it, with the metadata it has loaded, until the connection changes. */
export function createSsoProviders({ config }: Pick<Platform, 'config'>): SsoProvider {
  const outbound = createOutbound({ allow: config.outboundAllow });
  const known = new Map<string, IdentityProvider>();

  return async (connection) => {
    const { businessId, version, issuer, clientId } = connection;
    const key = `${businessId} ${version} ${connection.updatedAt}`;
    const existing = known.get(key);
    if (existing) return existing;
    const [{ openIdProvider }, { outboundFetch }] = await Promise.all([
      import('../../../providers/oauth/openid.ts'),
      import('../../../providers/oauth/outbound-fetch.ts'),
    ]);
    const clientSecret = openSecret(config.secretKey, connection);
    const settings = { issuer, clientId, clientSecret, name: 'SSO' };
    const provider = openIdProvider(settings, config.secretKey, outboundFetch(outbound, businessId));
    if (known.size >= MAX_PROVIDERS) known.delete(known.keys().next().value!);
    known.set(key, provider);
    return provider;
  };
}

const keyOf = (secretKey: string) => deriveKey(secretKey, 'sso-secrets');

/** Bound to the business, so that it can't be decrypted for another. */
export const sealSecret = (secretKey: string, businessId: string, secret: string) =>
  seal(keyOf(secretKey), secret, businessId);

export const openSecret = (secretKey: string, { businessId, clientSecret }: Connection): string | null =>
  clientSecret === null ? null : unseal(keyOf(secretKey), clientSecret, businessId);
