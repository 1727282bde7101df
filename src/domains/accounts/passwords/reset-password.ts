import { invalid } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { command } from '../context.ts';
import { changePassword, type PasswordChange } from './change-password.ts';
import { checkPassword } from './password-rules.ts';
import { findCredentials } from './queries.ts';
import type { ResetInput } from './schemas.ts';
import { incorrectPassword, verifyPassword } from './verify-password.ts';

/** Changes the caller's own password and keeps the current session. A wrong old password counts as a failed login. */
export const resetPassword = command({
  async prepare(ctx, { oldPassword, newPassword }: ResetInput): Promise<PasswordChange> {
    const { userId } = ctx.caller;
    const user = await findCredentials(ctx.db, { id: userId });
    const errors = checkPassword(newPassword, user?.email ?? null, 'newPassword');
    if (!oldPassword) {
      errors.unshift({ field: 'oldPassword', error: 'PASSWORD_REQUIRED', message: 'oldPassword is required.' });
    }
    if (errors.length > 0) throw invalid(errors);
    const account = user?.email ? emailKey(user.email) : userId;
    const { id, passwordVersion } = await verifyPassword(ctx, {
      account,
      find: async () => user,
      password: oldPassword!,
      use: 'CHANGE',
    });
    const passwordHash = await ctx.accounts.passwords.hash(newPassword!);
    return { id, passwordVersion, passwordHash, sessionId: ctx.caller.sessionId };
  },
  async execute(ctx, change) {
    if (!(await changePassword(ctx, change))) throw incorrectPassword('CHANGE');
    return SUCCESS;
  },
});
