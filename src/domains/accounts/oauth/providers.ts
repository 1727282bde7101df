import type { Steps } from '../context.ts';

/** The identity provider goes by the name the operator gave it, and always by `OAUTH_IDP`. Null: none of ours. */
export function providerKind({ accounts: { idp } }: Steps, name: string): 'EMAIL' | 'GUEST' | 'OAUTH' | null {
  if (name === 'EMAIL' || name === 'GUEST') return name;
  return idp && (name === 'OAUTH_IDP' || name === idp.name) ? 'OAUTH' : null;
}
