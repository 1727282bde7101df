import { inTransaction } from '../../db/connection.ts';
import { badRequest, type FieldError, invalidField } from '../../shared/errors.ts';
import type { AccountsContext } from './context.ts';
import type { AuthResult, LoginInput } from './schemas.ts';
import { beginSession } from './sessions.ts';
import { findCredentials, updateHash, updateLastLogin } from './user-queries.ts';

/** An unknown e-mail, one without a password and a wrong password look alike, also by the clock. */
export async function emailLogin(context: AccountsContext, input: LoginInput): Promise<AuthResult> {
  const { email = '', password = '' } = input;
  const missing = missingFields(email, password);
  if (missing.length > 0) throw badRequest(missing[0]!.message, missing);
  return context.inLine(email.toLowerCase(), () => tryPassword(context, email, password));
}

export const passwordWrong = (field: string) =>
  invalidField(field, 'PASSWORD_WRONG', 'The e-mail or the password is wrong.');

async function tryPassword(context: AccountsContext, email: string, password: string): Promise<AuthResult> {
  const { pool, clock, passwords, limiter, limits } = context;
  const account = email.toLowerCase();
  await limiter.spend(limits.login, account);
  const user = await findCredentials(pool, { email });
  const fits = await passwords.verify(user?.passwordHash ?? null, password);
  if (!user || !fits) throw passwordWrong('password');
  if (!user.isConfirmed) throw invalidField('email', 'NOT_CONFIRMED', 'The e-mail is not confirmed yet.');

  const rehashed = passwords.isOutdated(user.passwordHash!) ? await passwords.hash(password) : null;
  return inTransaction(pool, async (tx) => {
    // A change of the password while this one was verified ends all sessions: there must be none after it.
    const same = await updateLastLogin(tx, user.id, user.passwordVersion, clock.seconds());
    if (!same) throw passwordWrong('password');
    if (rehashed) await updateHash(tx, user.id, user.passwordVersion, rehashed);
    await limiter.forgive(tx, limits.login, account);
    return beginSession(context, tx, user, 'EMAIL', null);
  });
}

function missingFields(email: string, password: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!email) errors.push({ field: 'email', error: 'REQUIRED', message: 'email is required.' });
  if (!password) errors.push({ field: 'password', error: 'PASSWORD_REQUIRED', message: 'password is required.' });
  return errors;
}
