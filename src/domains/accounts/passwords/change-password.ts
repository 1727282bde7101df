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
  /** By a link from a mail. */
  isReset?: boolean;
  /** The session that stays. */
  sessionId?: string | null;
};

/** Ends the sessions of the user. False when the password was changed by somebody else meanwhile. */
export async function changePassword(ctx: Command, user: PasswordChange): Promise<boolean> {
  const { id, isReset = false, sessionId = null } = user;
  const resetAt = isReset ? ctx.now : null;
  if (!(await updatePassword(ctx.db, { ...user, resetAt, now: ctx.now }))) return false;
  await deleteRegistrationsOf(ctx.db, id);
  await deleteSessionsOf(ctx.db, id, sessionId);
  await ctx.publish(userSubject(id));
  return true;
}
