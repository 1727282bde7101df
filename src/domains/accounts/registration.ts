import { forbidden } from '../../shared/errors.ts';
import { emailKey } from '../../shared/text/email.ts';
import { findOpenInvitation } from '../businesses/index.ts';
import type { Steps } from './context.ts';

export const registrationClosed = () =>
  forbidden('Registration is by invitation only. Use the link in your invitation.');

/** The invited email of the token. Null if registration is open, or if the token is missing or invalid. */
export async function findInvitedEmail(ctx: Steps, token: string | undefined): Promise<string | null> {
  if (ctx.config.registration === 'open' || token === undefined) return null;
  return (await findOpenInvitation(ctx, token))?.email ?? null;
}

/** Throws 403 if registration is closed for this email. */
export async function checkRegistrationAllowed(ctx: Steps, email: string, token: string | undefined): Promise<void> {
  if (ctx.config.registration === 'open') return;
  const invited = await findInvitedEmail(ctx, token);
  if (invited === null || emailKey(invited) !== emailKey(email)) throw registrationClosed();
}
