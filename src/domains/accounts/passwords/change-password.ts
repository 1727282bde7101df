import { userSubject } from '../../../shared/caller.ts';
import type { Command } from '../context.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { updatePassword } from './queries.ts';
import { deleteRegistrationsOf } from './registrations.ts';

export type PasswordChange = {
  id: string;
  passwordVersion: number;
  /** Null: there is none then. */
  passwordHash: string | null;
  /** The session that stays. */
  sessionId?: string | null;
};

/** Ends the sessions of the user. False when the password was changed by somebody else meanwhile. */
export async function changePassword(ctx: Command, user: PasswordChange): Promise<boolean> {
  const { id, sessionId = null } = user;
  if (!(await updatePassword(ctx.db, { ...user, now: ctx.now }))) return false;
  await deleteRegistrationsOf(ctx.db, id);
  await deleteSessionsOf(ctx.db, id, sessionId);
  await ctx.emitAccount({ type: 'user.password_changed', userId: id, byOwner: true });
  await ctx.publish(userSubject(id));
  return true;
}
