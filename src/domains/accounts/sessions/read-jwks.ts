import type { Query } from '../context.ts';

/** The public keys that verify access tokens. */
export const readJwks = async ({ accounts }: Query) => accounts.tokens.jwks();
