import type { StepsOf } from '../../../context/index.ts';
import { allowMore, forgiveMails } from '../../../db/limits.ts';
import { emailKey } from '../../../shared/email.ts';
import { invalid } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { changePassword } from './change-password.ts';
import { checkPassword } from './password-rules.ts';
import { type CredentialRow, findCredentials } from './queries.ts';
import { readMailToken, tokenInvalid } from './read-mail-token.ts';
import type { ResetForgottenInput } from './schemas.ts';

/** The owner has to get in during this time, while others may go on with wrong passwords. */
const OPEN_SECONDS = 3600;

type Prepared = { user: CredentialRow; passwordHash: string };

/**
 * With the token from the mail. Confirms the e-mail, and opens an account that others have locked by wrong passwords: for the
 * next hour they are counted generously, and further mails may be asked for.
 */
export const resetForgottenPassword: StepsOf<
  AccountServices,
  ResetForgottenInput,
  Prepared,
  typeof SUCCESS,
  typeof SUCCESS
> = {
  async prepare(ctx, { token, password }) {
    const { userId, stamp } = readMailToken(ctx, 'reset', token);
    const user = await findCredentials(ctx.db, { id: userId });
    if (!user || String(user.passwordVersion) !== stamp) throw tokenInvalid();
    const errors = checkPassword(password, user.email, 'password');
    if (errors.length > 0) throw invalid(errors);
    return { user, passwordHash: await ctx.accounts.passwords.hash(password!) };
  },
  async execute(ctx, _input, { user, passwordHash }) {
    if (!(await changePassword(ctx, { ...user, passwordHash }))) throw tokenInvalid();
    if (user.email) {
      const { login } = ctx.accounts.limits;
      const more = { calls: login.max * 99, untilSeconds: ctx.now + OPEN_SECONDS };
      await allowMore(ctx, login, emailKey(user.email), more);
      await forgiveMails(ctx, user.email);
    }
    return SUCCESS;
  },
};
