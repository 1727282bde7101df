import { forgive, spend } from '../../../db/limits.ts';
import { invalidField } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
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
 * one account share a mutex, so that many right ones at once never look like many failures.
 */
export function verifyPassword(ctx: Steps, { account, find, password, field }: Attempt): Promise<CredentialRow> {
  const { limits, mutex, passwords } = ctx.accounts;
  return mutex.run(account, async () => {
    await spend(ctx, limits.login, account);
    const user = await find();
    const fits = await passwords.verify(user?.passwordHash ?? null, password);
    if (!user || !fits) {
      await noteFailure(ctx, user);
      throw passwordWrong(field);
    }
    await ctx.write((tx) => forgive({ db: tx }, limits.login, account));
    return user;
  });
}

/** For an e-mail that nobody has the same is written under no name: by the clock it looks like any other. */
const noteFailure = (ctx: Steps, user: CredentialRow | null): Promise<void> =>
  ctx.transaction((tx) => tx.emitAccount({ type: 'user.login_failed', userId: user?.id ?? '' }));

export const passwordWrong = (field: string) =>
  invalidField(field, 'PASSWORD_WRONG', 'The e-mail or the password is wrong.');
