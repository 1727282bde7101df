import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { lockUser } from '../profile/queries.ts';
import { readMailToken, tokenInvalid } from './read-mail-token.ts';
import { findRegistration, updateRegistered } from './registrations.ts';

/**
 * Opens the account with the password of the registration that the link was mailed for: a link never puts somebody else's
 * password behind its owner's click. The others are void then; this one stays good for its hour, so that a second click is no error.
 */
export async function confirm(ctx: Command, token: string): Promise<typeof SUCCESS> {
  const { userId, stamp } = readMailToken(ctx, 'confirm', token);
  if ((await lockUser(ctx.db, userId)) === null) throw tokenInvalid();
  const registration = await findRegistration(ctx.db, userId, stamp);
  if (!registration) throw tokenInvalid();
  if (registration.confirmedAt === null) {
    await updateRegistered(ctx.db, registration, ctx.now);
    await ctx.emitAccount({ type: 'user.updated', userId, data: { changed: ['isConfirmed'] }, byOwner: true });
  }
  return SUCCESS;
}
