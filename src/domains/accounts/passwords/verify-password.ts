import { consumeLimit, resetLimit } from '../../../db/limits.ts';
import { invalidField } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import type { CredentialRow } from './queries.ts';

type Attempt = {
  /** The rate limit key that counts failed attempts. */
  account: string;
  find: () => Promise<CredentialRow | null>;
  password: string;
  /** The request field to name in errors. */
  field: string;
};

/**
 * Returns the user if the password is correct. An attempt is counted before it is checked and uncounted if it succeeds.
 * Attempts on one account share a mutex, so that many correct logins at once never look like many failures.
 */
export function verifyPassword(ctx: Steps, { account, find, password, field }: Attempt): Promise<CredentialRow> {
  const { limits, mutex, passwords } = ctx.accounts;
  return mutex.run(account, async () => {
    await consumeLimit(ctx, limits.login, account);
    const user = await find();
    const isMatch = await passwords.verify(user?.passwordHash ?? null, password);
    if (!user || !isMatch) {
      await recordFailure(ctx, user);
      throw passwordWrong(field);
    }
    await ctx.write((tx) => resetLimit({ db: tx }, limits.login, account));
    return user;
  });
}

/** An unknown email is recorded too, with an empty user ID, so that it takes the same time. */
const recordFailure = (ctx: Steps, user: CredentialRow | null): Promise<void> =>
  ctx.transaction(async (tx) => tx.emitAccount({ type: 'user.login_failed', userId: user?.id ?? '' }));

export const passwordWrong = (field: string) =>
  invalidField(
    field,
    'PASSWORD_WRONG',
    field === 'oldPassword' ? 'The current password is incorrect.' : 'The email or password is incorrect.',
  );
