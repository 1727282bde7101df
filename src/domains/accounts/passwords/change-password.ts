import { userSubject } from '../../../shared/security/caller.ts';
import type { Command } from '../context.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { updatePassword } from './queries.ts';
import { deleteRegistrationsOf } from './registrations.ts';

export type PasswordChange = {
  id: string;
  passwordVersion: number;
  /** Null removes the password. */
  passwordHash: string | null;
  /** The session to keep. */
  sessionId?: string | null;
};

/** Sets the password and ends the user's other sessions. False if the password has changed since `passwordVersion`. */
export async function changePassword(ctx: Command, user: PasswordChange): Promise<boolean> {
  const { id, sessionId = null } = user;
  if (!(await updatePassword(ctx.db, { ...user, now: ctx.now }))) return false;
  await deleteRegistrationsOf(ctx.db, id);
  await deleteSessionsOf(ctx.db, id, sessionId);
  ctx.emitAccount({ type: 'user.password_changed', userId: id, byOwner: true });
  await ctx.publish(userSubject(id));
  return true;
}
