import { inTransaction } from '../../db/connection.ts';
import { badRequest, type FieldError, invalid } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { AccountsContext } from './context.ts';
import { addressKey } from './limits.ts';
import { MAIL_TOKEN_SECONDS } from './mail-tokens.ts';
import { confirmMail, linkTo } from './mails.ts';
import { checkPassword } from './password-rules.ts';
import type { RegisterInput } from './schemas.ts';
import { findCredentials, type Registered, upsertRegistration } from './user-queries.ts';

/** A new user who has to confirm the e-mail, or a new password and a new mail for one who has not done so yet. */
export async function register(context: AccountsContext, input: RegisterInput, address: string): Promise<void> {
  const { limiter, limits, pool, passwords, clock, messages } = context;
  if (!['EMAIL_REGISTER', 'EMAIL'].includes(input.provider ?? 'EMAIL')) throw badRequest('Invalid provider.');
  await limiter.spend(limits.address, addressKey(address));
  const { email, password = '' } = input;
  const base = mailLinkBase(context, input.reserveDomain);
  const errors = [...checkPassword(password, email, 'password'), ...(base === null ? [badReserveDomain()] : [])];
  if (errors.length > 0) throw invalid(errors);

  if ((await findCredentials(pool, { email }))?.isConfirmed) throw emailExists();
  await limiter.spend(limits.mail, email.toLowerCase());
  const passwordHash = await passwords.hash(password);
  const now = clock.seconds();
  await inTransaction(pool, async (tx) => {
    const user = await upsertRegistration(tx, {
      id: newId('usr'),
      email,
      name: nameOf(input),
      passwordHash,
      createdAt: now,
    });
    if (!user) throw emailExists();
    await messages.mail(tx, confirmMail(email, confirmLink(context, base!, user, now)));
  });
}

/** Where links in a mail lead: our own pages, or the caller's site when it may be named. Null: it may not. */
export function mailLinkBase(
  { origins, publicUrl }: AccountsContext,
  reserveDomain: string | undefined,
): string | null {
  if (reserveDomain === undefined || reserveDomain === '') return publicUrl();
  const url = origins.linkBase(reserveDomain);
  return url && `${url.origin}${url.pathname}`;
}

export const badReserveDomain = (): FieldError => ({
  field: 'reserveDomain',
  error: 'INVALID_ORIGIN_URI',
  message: 'reserveDomain is not one of the allowed origins.',
});

const emailExists = () =>
  badRequest('This e-mail is registered already.', [
    { field: 'email', error: 'EMAIL_EXISTS', message: 'This e-mail is registered already.' },
  ]);

function nameOf({ name, firstName = '', lastName = '' }: RegisterInput): string {
  return (name ?? `${firstName} ${lastName}`).trim().slice(0, 200);
}

function confirmLink({ mailTokens }: AccountsContext, base: string, user: Registered, now: number): string {
  const token = mailTokens.issue({
    kind: 'confirm',
    userId: user.id,
    passwordVersion: user.passwordVersion,
    expiresAt: now + MAIL_TOKEN_SECONDS,
  });
  return linkTo(base, 'confirm', token);
}
