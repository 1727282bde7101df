import { emailKey } from '../../shared/email.ts';
import { forbidden } from '../../shared/errors.ts';
import type { Query, Steps } from './context.ts';

/** The open invitation that this token was mailed with. Null: none. */
export type FindInvitation = (ctx: Query, token: string) => Promise<{ email: string } | null>;

export const registrationClosed = () =>
  forbidden('Registration is by invitation only. Use the link in your invitation.');

/** Whom this token invites, while sign-up is closed. */
export async function findInvited(ctx: Steps, token: string | undefined): Promise<string | null> {
  if (ctx.config.registration === 'open' || token === undefined) return null;
  return (await ctx.accounts.findInvitation(ctx, token))?.email ?? null;
}

/** Raises 403 when sign-up is closed to this e-mail. */
export async function checkMayRegister(ctx: Steps, email: string, token: string | undefined): Promise<void> {
  if (ctx.config.registration === 'open') return;
  const invited = await findInvited(ctx, token);
  if (invited === null || emailKey(invited) !== emailKey(email)) throw registrationClosed();
}
