import { inTransaction } from '../../db/connection.ts';
import { invalid } from '../../shared/errors.ts';
import type { AccountsContext } from './context.ts';
import { addressKey } from './limits.ts';
import { MAIL_TOKEN_SECONDS } from './mail-tokens.ts';
import { linkTo, resetMail } from './mails.ts';
import { badReserveDomain, mailLinkBase } from './register.ts';
import { findCredentials } from './user-queries.ts';

export const FORGOT_JOB = 'forgot-password';

export type Forgotten = { email: string; base: string };

/** Does the same for every e-mail: whether there is such a user is looked up later, by the job. */
export async function forgotPassword(
  context: AccountsContext,
  { email, reserveDomain }: { email: string; reserveDomain?: string },
  address: string,
): Promise<void> {
  const { limiter, limits, pool, jobs } = context;
  const base = mailLinkBase(context, reserveDomain);
  if (base === null) throw invalid([badReserveDomain()]);
  await limiter.spend(limits.address, addressKey(address));
  await limiter.spend(limits.mail, email.toLowerCase());
  await inTransaction(pool, (tx) => jobs.enqueue(tx, FORGOT_JOB, { email, base } satisfies Forgotten));
}

/** For the job. Mails to the address the user has, which may differ in case from the one that was typed. */
export async function mailReset(context: AccountsContext, { email, base }: Forgotten): Promise<void> {
  const { pool, clock, mailTokens, messages } = context;
  const user = await findCredentials(pool, { email });
  if (!user?.email) return;
  const token = mailTokens.issue({
    kind: 'reset',
    userId: user.id,
    passwordVersion: user.passwordVersion,
    expiresAt: clock.seconds() + MAIL_TOKEN_SECONDS,
  });
  await inTransaction(pool, (tx) => messages.mail(tx, resetMail(user.email!, linkTo(base, 'reset-password', token))));
}
