import type { Steps } from '../context.ts';
import { unsealIdpTokens } from './seals.ts';

export const REVOKE_JOB = 'revoke-idp-tokens';

export type RevokeJob = { sealed: string };

/** A job: revokes the tokens with the identity provider. The queue retries it until it succeeds. */
export async function revokeIdpTokens(ctx: Steps, { sealed }: RevokeJob): Promise<void> {
  await ctx.accounts.idp?.revoke(unsealIdpTokens(ctx, sealed));
}
