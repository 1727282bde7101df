import type { Steps } from '../context.ts';
import { unsealIdpTokens } from './seals.ts';

export const REVOKE_JOB = 'revoke-idp-tokens';

export type RevokeJob = { sealed: string };

/** A job: tells the identity provider, again and again until it has heard. */
export async function revokeIdpTokens(ctx: Steps, { sealed }: RevokeJob): Promise<void> {
  await ctx.accounts.idp?.revoke(unsealIdpTokens(ctx, sealed));
}
