import type { Steps } from '../context.ts';
import { mailLink } from './mail-links.ts';
import { MAIL_TOKEN_SECONDS } from './mail-tokens.ts';
import { resetMail } from './mails.ts';
import { findCredentials } from './queries.ts';

export const MAIL_RESET_JOB = 'forgot-password';

export type MailResetJob = { email: string; linkBase: string };

/** A job. Mails to the address the user has, which may differ in case from the one that was typed. */
export async function mailReset(ctx: Steps, { email, linkBase }: MailResetJob): Promise<void> {
  const user = await findCredentials(ctx.db, { email });
  if (!user?.email) return;
  const token = ctx.accounts.mailTokens.issue({
    kind: 'reset',
    userId: user.id,
    stamp: String(user.passwordVersion),
    expiresAt: ctx.now + MAIL_TOKEN_SECONDS,
  });
  const mail = resetMail(user.email, mailLink(linkBase, 'reset-password', token));
  await ctx.transaction((command) => command.mail(mail));
}
