import { consumeLimit, resetLimit } from '../../../db/limits.ts';
import { invalidField } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import type { CredentialRow } from './queries.ts';

type Attempt = {
  /** The rate limit key that counts failed attempts. */
  account: string;
  find: () => Promise<CredentialRow | null>;
  password: string;
  use: PasswordUse;
};

/** The request field and the message of an error. A login doesn't reveal whether the email or the password is wrong. */
const WRONG = {
  LOGIN: ['password', 'The email or password is incorrect.'],
  CONFIRM: ['password', 'The password is incorrect.'],
  CHANGE: ['oldPassword', 'Your current password is incorrect.'],
} as const;
type PasswordUse = keyof typeof WRONG;

/**
 * Returns the user if the password is correct. An attempt is counted before it is checked and uncounted if it succeeds.
 * Attempts on one account share a mutex, so that many correct logins at once never look like many failures.
 */
export function verifyPassword(ctx: Steps, { account, find, password, use }: Attempt): Promise<CredentialRow> {
  const { limits, mutex, passwords } = ctx.accounts;
  return mutex.run(account, async () => {
    await consumeLimit(ctx, limits.login, account);
    const user = await find();
    const isMatch = await passwords.verify(user?.passwordHash ?? null, password);
    if (!user || !isMatch) {
      await recordFailure(ctx, user);
      throw incorrectPassword(use);
    }
    await ctx.write((tx) => resetLimit({ db: tx }, limits.login, account));
    return user;
  });
}

/** An unknown email is recorded too, with an empty user ID, so that it takes the same time. */
const recordFailure = (ctx: Steps, user: CredentialRow | null): Promise<void> =>
  ctx.transaction(async (tx) => tx.emitAccount({ type: 'user.login_failed', userId: user?.id ?? '' }));

export function incorrectPassword(use: PasswordUse) {
  const [field, message] = WRONG[use];
  return invalidField(field, 'PASSWORD_WRONG', message);
}
