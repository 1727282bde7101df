import type { StepsOf } from '../../../context/index.ts';
import { spend } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { emailKey } from '../../../shared/email.ts';
import { badRequest, type FieldError, invalidField } from '../../../shared/errors.ts';
import type { AccountServices } from '../context.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { openSession } from '../sessions/open-session.ts';
import type { AuthResult, LoginInput } from '../sessions/schemas.ts';
import { type CredentialRow, findCredentials, updateHash, updateLastLogin } from './queries.ts';
import { passwordWrong, verifyPassword } from './verify-password.ts';

/** `rehashed`: with today's parameters, when the stored hash was made with weaker ones. */
type Verified = { user: CredentialRow; rehashed: string | null };

/** An unknown e-mail, one without a password and a wrong password look alike, also by the clock. */
export const emailLogin: StepsOf<AccountServices, LoginInput, Verified, string, AuthResult> = {
  async prepare(ctx, { email = '', password = '' }) {
    const { limits, passwords } = ctx.accounts;
    await spend(ctx, limits.address, addressKey(ctx.address));
    const missing = missingFields(email, password);
    if (missing.length > 0) throw badRequest(missing[0]!.message, missing);
    const find = () => findCredentials(ctx.db, { email });
    const user = await verifyPassword(ctx, { account: emailKey(email), find, password, field: 'password' });
    if (!user.isConfirmed)
      throw invalidField(
        'email',
        'NOT_CONFIRMED',
        'The e-mail is not confirmed yet. Open the link in the mail that we sent to it.',
      );
    return { user, rehashed: passwords.isOutdated(user.passwordHash!) ? await passwords.hash(password) : null };
  },
  async execute(ctx, _input, { user: { id, passwordVersion }, rehashed }) {
    // A change of the password while this one was verified ends all sessions: there must be none after it.
    if (!(await updateLastLogin(ctx.db, id, passwordVersion, ctx.now))) throw passwordWrong('password');
    if (rehashed) await updateHash(ctx.db, id, passwordVersion, rehashed);
    return beginSession(ctx, { userId: id, provider: 'EMAIL', lifeSeconds: null });
  },
  afterCommit: openSession,
};

function missingFields(email: string, password: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!email) errors.push({ field: 'email', error: 'REQUIRED', message: 'email is required.' });
  if (!password) errors.push({ field: 'password', error: 'PASSWORD_REQUIRED', message: 'password is required.' });
  return errors;
}
