/** The parts of deleting an account: prove that it is one's own, leave the teams, go. */
import { userSubject } from '../../../shared/caller.ts';
import { emailKey } from '../../../shared/email.ts';
import { conflict, forbidden, invalidField, unauthenticated } from '../../../shared/errors.ts';
import { listSoleAdmins, setRole } from '../../businesses/index.ts';
import type { Command, Steps } from '../context.ts';
import { REVOKE_JOB, type RevokeJob } from '../oauth/revoke-idp-tokens.ts';
import { findCredentials } from '../passwords/queries.ts';
import { verifyPassword } from '../passwords/verify-password.ts';
import { deleteUserRow, findSessionAge, listIdpTokens, listMemberships } from './delete-queries.ts';

/** Within this time of a log-in nobody is asked for a password. */
const FRESH_SECONDS = 600;

/** By the password, or by a log-in of the last minutes. A guest has neither: the session is all that there is of them. */
export async function proveOwner(ctx: Steps, password: string | undefined): Promise<void> {
  const { userId, sessionId, isGuest } = ctx.caller;
  if (sessionId === null) throw forbidden('An API key cannot do this. Log in.');
  if (isGuest) return;
  if (password === undefined) {
    const createdAt = await findSessionAge(ctx.db, sessionId);
    if (createdAt !== null && createdAt > ctx.now - FRESH_SECONDS) return;
    throw invalidField('password', 'PASSWORD_REQUIRED', 'Send your password, or log in again and repeat this.');
  }
  const user = await findCredentials(ctx.db, { id: userId });
  const account = user?.email ? emailKey(user.email) : userId;
  await verifyPassword(ctx, { account, find: async () => user, password, field: 'password' });
}

/** One business after the other. Raises 409, and changes nothing, when a business would lose its last ADMIN. */
export async function leaveBusinesses(ctx: Steps): Promise<void> {
  const { userId } = ctx.caller;
  const sole = await listSoleAdmins(ctx.db, userId);
  if (sole.length > 0) {
    const names = sole.map(({ name }) => `"${name}"`).join(', ');
    throw conflict(`You are the only ADMIN of ${names}. Make somebody else ADMIN, or delete the business, first.`);
  }
  for (const businessId of await listMemberships(ctx.db, userId)) {
    await ctx.within(businessId).transaction((tx) => setRole(tx, { businessId, userId, roleId: null }));
  }
}

/** With its sessions, keys, codes and registrations. Raises 401 when somebody has done so just now. */
export async function deleteAccount(
  ctx: Command,
  userId: string,
): Promise<{ email: string | null; isConfirmed: boolean }> {
  for (const sealed of await listIdpTokens(ctx.db, userId)) {
    await ctx.enqueue(REVOKE_JOB, { sealed } satisfies RevokeJob);
  }
  const user = await deleteUserRow(ctx.db, userId);
  if (!user) throw unauthenticated('This account is deleted.');
  await ctx.emitAccount({ type: 'user.deleted', userId, byOwner: true });
  await ctx.publish(userSubject(userId));
  return user;
}
