/** The steps of deleting an account: verify the owner, leave all businesses, delete the user. */

import { conflict, forbidden, invalidField, unauthenticated } from '../../../shared/errors.ts';
import { userSubject } from '../../../shared/security/caller.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { listSoleAdmins, setRole } from '../../businesses/index.ts';
import type { Command, Steps } from '../context.ts';
import { REVOKE_JOB, type RevokeJob } from '../oauth/revoke-idp-tokens.ts';
import { findCredentials } from '../passwords/queries.ts';
import { verifyPassword } from '../passwords/verify-password.ts';
import { deleteUserRow, findSessionCreatedAt, listIdpTokens, listMemberships } from './delete-queries.ts';

/** For this long after a login, the password is not required. */
const FRESH_SECONDS = 600;

/** Verifies the caller by a fresh second factor or, if the account has none, by password or a recent login. A guest has neither, so their session is enough. */
export async function verifyOwner(ctx: Steps, password: string | undefined): Promise<void> {
  const { userId, sessionId, isGuest } = ctx.caller;
  if (sessionId === null) throw forbidden("API keys can't do this. Log in instead.");
  if (isGuest) return;
  if (ctx.caller.factors.methods.length > 0) return ctx.businesses.stepUps.require(ctx);
  if (password === undefined) {
    const createdAt = await findSessionCreatedAt(ctx.db, sessionId);
    if (createdAt !== null && createdAt > ctx.now - FRESH_SECONDS) return;
    throw invalidField('password', 'PASSWORD_REQUIRED', 'Enter your password, or log in again.');
  }
  const user = await findCredentials(ctx.db, { id: userId });
  const account = user?.email ? emailKey(user.email) : userId;
  await verifyPassword(ctx, { account, find: async () => user, password, use: 'CONFIRM' });
}

/** Leaves one business at a time. Throws 409 and changes nothing if a business would lose its last ADMIN. */
export async function leaveBusinesses(ctx: Steps): Promise<void> {
  const { userId } = ctx.caller;
  const soleAdminOf = await listSoleAdmins(ctx.db, userId);
  if (soleAdminOf.length > 0) {
    const names = soleAdminOf.map(({ name }) => `"${name}"`).join(', ');
    throw conflict(`You are the only admin of ${names}. Make someone else an admin or delete the business first.`);
  }
  for (const businessId of await listMemberships(ctx.db, userId)) {
    await ctx
      .within(businessId)
      .transaction((tx) => setRole(tx, { businessId, userId, roleId: null, isLeaving: true }));
  }
}

/** Also deletes the account's sessions, keys, codes and registrations. Throws 401 if the account is already deleted. */
export async function deleteAccount(
  ctx: Command,
  userId: string,
): Promise<{ email: string | null; isConfirmed: boolean }> {
  for (const sealed of await listIdpTokens(ctx.db, userId)) {
    await ctx.enqueue(REVOKE_JOB, { sealed } satisfies RevokeJob);
  }
  const user = await deleteUserRow(ctx.db, userId);
  if (!user) throw unauthenticated('This account has been deleted.');
  ctx.emitAccount({ type: 'user.deleted', userId, byOwner: true });
  await ctx.publish(userSubject(userId));
  return user;
}
