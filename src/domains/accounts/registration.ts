import { emailKey } from '../../shared/email.ts';
import { forbidden } from '../../shared/errors.ts';
import { findOpenInvitation } from '../businesses/index.ts';
import type { Steps } from './context.ts';

export const registrationClosed = () =>
  forbidden('Registration is by invitation only. Use the link in your invitation.');

/** Whom this token invites, while sign-up is closed. */
export async function findInvited(ctx: Steps, token: string | undefined): Promise<string | null> {
  if (ctx.config.registration === 'open' || token === undefined) return null;
  return (await findOpenInvitation(ctx, token))?.email ?? null;
}

/** Raises 403 when sign-up is closed to this e-mail. */
export async function checkMayRegister(ctx: Steps, email: string, token: string | undefined): Promise<void> {
  if (ctx.config.registration === 'open') return;
  const invited = await findInvited(ctx, token);
  if (invited === null || emailKey(invited) !== emailKey(email)) throw registrationClosed();
}
