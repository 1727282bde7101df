import type { StepsOf } from '../../../context/index.ts';
import { forgive } from '../../../db/limits.ts';
import { invalid } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { changePassword } from './change-password.ts';
import { checkPassword } from './password-rules.ts';
import { type CredentialRow, emailKey, findCredentials } from './queries.ts';
import { readMailToken, tokenInvalid } from './read-mail-token.ts';
import type { ResetForgottenInput } from './schemas.ts';

type Prepared = { user: CredentialRow; passwordHash: string };

/** With the token from the mail. Also opens an account that was locked by wrong passwords, and confirms the e-mail. */
export const resetForgottenPassword: StepsOf<
  AccountServices,
  ResetForgottenInput,
  Prepared,
  typeof SUCCESS,
  typeof SUCCESS
> = {
  async prepare(ctx, { token, password }) {
    const { userId, passwordVersion } = readMailToken(ctx, 'reset', token);
    const user = await findCredentials(ctx.db, { id: userId });
    if (user?.passwordVersion !== passwordVersion) throw tokenInvalid();
    const errors = checkPassword(password, user.email, 'password');
    if (errors.length > 0) throw invalid(errors);
    return { user, passwordHash: await ctx.accounts.passwords.hash(password!) };
  },
  async execute(ctx, _input, { user, passwordHash }) {
    if (!(await changePassword(ctx, { ...user, passwordHash }))) throw tokenInvalid();
    if (user.email) await forgive(ctx, ctx.accounts.limits.login, emailKey(user.email));
    return SUCCESS;
  },
};
