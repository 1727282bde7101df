import { badRequest } from '../../../shared/errors.ts';
import type { Query } from '../context.ts';

type ProviderKind = 'EMAIL' | 'GUEST' | 'OAUTH' | 'PASSKEY' | 'SSO';

/** The identity provider has the name set by the operator and the alias `OAUTH_IDP`. Null for an unknown provider. */
export async function findProviderKind({ accounts: { idp } }: Query, name: string): Promise<ProviderKind | null> {
  if (name === 'EMAIL' || name === 'GUEST' || name === 'PASSKEY') return name;
  if (idp && (name === 'OAUTH_IDP' || name === idp.name)) return 'OAUTH';
  return name === 'SSO' ? 'SSO' : null;
}

/** `accepted`: the providers that are accepted besides the identity provider. */
export const badProvider = (...accepted: string[]) =>
  badRequest(`provider must be ${accepted.join(', ')} or, if an identity provider is configured, OAUTH_IDP.`);
