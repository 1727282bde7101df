import { forgive, spend } from '../../../db/limits.ts';
import { invalidField } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { RESET_SECONDS } from '../limits.ts';
import type { CredentialRow } from './queries.ts';

export type Attempt = {
  /** What failures are counted for. */
  account: string;
  find: () => Promise<CredentialRow | null>;
  password: string;
  /** Of the request: what an error names. */
  field: string;
};

/**
 * The user, when the password is right. A try is counted before it is looked at, and forgiven when it was right. The tries of
 * one account hold a mutex from one to the other, so that many right ones at once never look like many failures.
 */
export function verifyPassword(ctx: Steps, { account, find, password, field }: Attempt): Promise<CredentialRow> {
  const { limits, mutex, passwords } = ctx.accounts;
  return mutex.run(account, async () => {
    const user = await find();
    const limit = isFresh(ctx, user) ? limits.loginAfterReset : limits.login;
    await spend(ctx, limit, account);
    const fits = await passwords.verify(user?.passwordHash ?? null, password);
    if (!user || !fits) throw passwordWrong(field);
    await ctx.write((tx) => forgive({ db: tx }, limit, account));
    return user;
  });
}

/** The owner has just reset the password: a few wrong ones by anybody must not close that door again before they are in. */
const isFresh = ({ now }: Steps, user: CredentialRow | null) => (user?.passwordResetAt ?? 0) > now - RESET_SECONDS;

export const passwordWrong = (field: string) =>
  invalidField(field, 'PASSWORD_WRONG', 'The e-mail or the password is wrong.');
