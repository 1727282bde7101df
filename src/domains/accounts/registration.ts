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

/** Whether an account can be created for this email. */
export async function isRegistrationAllowed(ctx: Steps, email: string, token: string | undefined): Promise<boolean> {
  if (ctx.config.registration === 'open') return true;
  const invited = await findInvitedEmail(ctx, token);
  return invited !== null && emailKey(invited) === emailKey(email);
}

/** Throws 403 if registration is closed for this email. */
export async function checkRegistrationAllowed(ctx: Steps, email: string, token: string | undefined): Promise<void> {
  if (!(await isRegistrationAllowed(ctx, email, token))) throw registrationClosed();
}
