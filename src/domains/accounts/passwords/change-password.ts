import { userSubject } from '../../../shared/caller.ts';
import type { Command } from '../context.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { updatePassword } from './queries.ts';

export type PasswordChange = { id: string; passwordVersion: number; passwordHash: string | null };

/** Ends every session of the user. False when the password was changed by somebody else meanwhile. Null: there is none then. */
export async function changePassword(ctx: Command, user: PasswordChange): Promise<boolean> {
  if (!(await updatePassword(ctx.db, { ...user, now: ctx.now }))) return false;
  await deleteSessionsOf(ctx.db, user.id);
  await ctx.publish(userSubject(user.id));
  return true;
}
