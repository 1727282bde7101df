import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { lockUser } from '../profile/queries.ts';
import { invalidToken, readMailToken } from './read-mail-token.ts';
import { findRegistration, updateRegistration } from './registrations.ts';

/**
 * Confirms the account with the password of the registration that the link was issued for, so that clicking the link never
 * activates a password someone else chose. Other registrations become invalid. The link itself keeps working until it
 * expires, so a second click is not an error.
 */
export async function confirm(ctx: Command, token: string): Promise<typeof SUCCESS> {
  const { userId, stamp } = readMailToken(ctx, 'confirm', token);
  if ((await lockUser(ctx.db, userId)) === null) throw invalidToken();
  const registration = await findRegistration(ctx.db, userId, stamp);
  if (!registration) throw invalidToken();
  if (registration.confirmedAt === null) {
    await updateRegistration(ctx.db, registration, ctx.now);
    ctx.emitAccount({ type: 'user.updated', userId, data: { changed: ['isConfirmed'] }, byOwner: true });
  }
  return SUCCESS;
}
