import { allowMore, resetMailLimit } from '../../../db/limits.ts';
import { invalid } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { command } from '../context.ts';
import { changePassword } from './change-password.ts';
import { checkPassword } from './password-rules.ts';
import { findCredentials } from './queries.ts';
import { invalidToken, readMailToken } from './read-mail-token.ts';
import type { ResetForgottenInput } from './schemas.ts';

/** How long the login limit stays raised, so that the owner can log in while an attack continues. */
const OPEN_SECONDS = 3600;

/**
 * Sets a new password with the emailed token. Confirms the email and unlocks an account locked by wrong passwords: for the next
 * hour, the login limit is raised and further emails can be requested.
 */
export const resetForgottenPassword = command({
  async prepare(ctx, { token, password }: ResetForgottenInput) {
    const { userId, stamp } = readMailToken(ctx, 'reset', token);
    const user = await findCredentials(ctx.db, { id: userId });
    if (!user || String(user.passwordVersion) !== stamp) throw invalidToken();
    const errors = checkPassword(password, user.email, 'password');
    if (errors.length > 0) throw invalid(errors);
    return { user, passwordHash: await ctx.accounts.passwords.hash(password!) };
  },
  async execute(ctx, { user, passwordHash }) {
    if (!(await changePassword(ctx, { ...user, passwordHash }))) throw invalidToken();
    if (user.email) {
      const { login } = ctx.accounts.limits;
      const more = { calls: login.max * 99, untilSeconds: ctx.now + OPEN_SECONDS };
      await allowMore(ctx, login, emailKey(user.email), more);
      await resetMailLimit(ctx, user.email);
    }
    return SUCCESS;
  },
});
