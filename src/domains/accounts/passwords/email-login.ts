import { consumeLimit } from '../../../db/limits.ts';
import { badRequest, type FieldError, invalidField } from '../../../shared/errors.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { command } from '../context.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { openSession } from '../sessions/open-session.ts';
import type { LoginInput } from '../sessions/schemas.ts';
import { type CredentialRow, findCredentials, updateHash, updateLastLogin } from './queries.ts';
import { incorrectPassword, verifyPassword } from './verify-password.ts';

/** `rehashed`: a new hash with the current parameters, if the stored hash uses weaker ones. */
type Verified = { user: CredentialRow; rehashed: string | null };

/** An unknown email, a user without a password and a wrong password give the same response in the same time. */
export const emailLogin = command({
  async prepare(ctx, { email = '', password = '' }: LoginInput): Promise<Verified> {
    const { limits, passwords } = ctx.accounts;
    await consumeLimit(ctx, limits.address, addressKey(ctx.address));
    const missing = missingFields(email, password);
    if (missing.length > 0) throw badRequest(missing[0]!.message, missing);
    const find = () => findCredentials(ctx.db, { email });
    const user = await verifyPassword(ctx, { account: emailKey(email), find, password, use: 'LOGIN' });
    if (!user.isConfirmed)
      throw invalidField(
        'email',
        'NOT_CONFIRMED',
        'This email is not confirmed yet. Open the link in the confirmation email.',
      );
    return { user, rehashed: passwords.isOutdated(user.passwordHash!) ? await passwords.hash(password) : null };
  },
  async execute(ctx, { user: { id, passwordVersion }, rehashed }) {
    // A password change during verification has ended all sessions, so this login must not start a new one.
    if (!(await updateLastLogin(ctx.db, id, passwordVersion, ctx.now))) throw incorrectPassword('LOGIN');
    if (rehashed) await updateHash(ctx.db, id, passwordVersion, rehashed);
    return beginSession(ctx, { userId: id, provider: 'EMAIL', lifeSeconds: null });
  },
  afterCommit: openSession,
});

function missingFields(email: string, password: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!email) errors.push({ field: 'email', error: 'REQUIRED', message: 'email is required.' });
  if (!password) errors.push({ field: 'password', error: 'PASSWORD_REQUIRED', message: 'password is required.' });
  return errors;
}
