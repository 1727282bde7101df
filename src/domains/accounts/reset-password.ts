import { inTransaction, type Tx } from '../../db/connection.ts';
import { userSubject } from '../../shared/caller.ts';
import { invalid } from '../../shared/errors.ts';
import { readMailToken, tokenInvalid } from './confirm.ts';
import type { AccountsContext } from './context.ts';
import { passwordWrong } from './email-login.ts';
import { checkPassword } from './password-rules.ts';
import { deleteSessionsOf } from './queries.ts';
import { type CredentialRow, findCredentials, updatePassword } from './user-queries.ts';

/** With the token from the mail. Also opens an account that was locked by wrong passwords, and confirms the e-mail. */
export async function resetForgottenPassword(
  context: AccountsContext,
  { token, password }: { token: string; password?: string },
): Promise<void> {
  const { userId, passwordVersion } = readMailToken(context, 'reset', token);
  const user = await findCredentials(context.pool, { id: userId });
  if (user?.passwordVersion !== passwordVersion) throw tokenInvalid();
  const errors = checkPassword(password, user.email, 'password');
  if (errors.length > 0) throw invalid(errors);
  const passwordHash = await context.passwords.hash(password!);
  await inTransaction(context.pool, async (tx) => {
    const done = await changePassword(context, tx, { id: userId, passwordVersion, passwordHash });
    if (!done) throw tokenInvalid();
    if (user.email) await context.limiter.forgive(tx, context.limits.login, user.email.toLowerCase());
  });
}

/** By the user himself. Guessing at the old password counts as a failed login. */
export async function resetPassword(
  context: AccountsContext,
  userId: string,
  { oldPassword, newPassword }: { oldPassword?: string; newPassword?: string },
): Promise<void> {
  const user = await findCredentials(context.pool, { id: userId });
  const errors = checkPassword(newPassword, user?.email ?? null, 'newPassword');
  if (!oldPassword) {
    errors.unshift({ field: 'oldPassword', error: 'PASSWORD_REQUIRED', message: 'oldPassword is required.' });
  }
  if (errors.length > 0) throw invalid(errors);
  const account = user?.email?.toLowerCase() ?? userId;
  await context.inLine(account, () => changeOwnPassword(context, user, account, oldPassword!, newPassword!));
}

async function changeOwnPassword(
  context: AccountsContext,
  user: CredentialRow | null,
  account: string,
  oldPassword: string,
  newPassword: string,
): Promise<void> {
  const { pool, passwords, limiter, limits } = context;
  await limiter.spend(limits.login, account);
  const fits = await passwords.verify(user?.passwordHash ?? null, oldPassword);
  if (!user || !fits) throw passwordWrong('oldPassword');
  const passwordHash = await passwords.hash(newPassword);
  await inTransaction(pool, async (tx) => {
    if (!(await changePassword(context, tx, { ...user, passwordHash }))) throw passwordWrong('oldPassword');
    await limiter.forgive(tx, limits.login, account);
  });
}

/** Ends every session of the user. False when the password was changed by somebody else meanwhile. */
async function changePassword(
  { clock, broadcast }: AccountsContext,
  tx: Tx,
  user: { id: string; passwordVersion: number; passwordHash: string },
): Promise<boolean> {
  if (!(await updatePassword(tx, { ...user, now: clock.seconds() }))) return false;
  await deleteSessionsOf(tx, user.id);
  await broadcast.publish(tx, userSubject(user.id));
  return true;
}
