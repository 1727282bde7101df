import { type Language, languageOf } from '../../../shared/mail/languages.ts';
import { requestLanguage } from '../../../shared/mail/service-mail.ts';
import { deriveKey, seal, unseal } from '../../../shared/security/secrets.ts';
import type { Steps } from '../context.ts';
import { mailLink } from './mail-links.ts';
import { MAIL_TOKEN_SECONDS } from './mail-tokens.ts';
import { resetMail } from './mails.ts';
import { findCredentials } from './queries.ts';

export const MAIL_RESET_JOB = 'forgot-password';

/** The email is encrypted because job rows outlive the job. Jobs from older versions have no language. */
export type MailResetJob = { sealed: string; linkBase: string; language?: Language };

const CONTEXT = 'forgot-password';
const keyOf = ({ config }: Steps) => deriveKey(config.secretKey, 'forgot-password');

export const resetJob = (ctx: Steps, email: string, linkBase: string): MailResetJob => ({
  sealed: seal(keyOf(ctx), email, CONTEXT),
  linkBase,
  language: requestLanguage(ctx),
});

/** A job. Sends to the user's stored email, which may differ in case from the submitted one. */
export async function mailReset(ctx: Steps, { sealed, linkBase, language }: MailResetJob): Promise<void> {
  const user = await findCredentials(ctx.db, { email: unseal(keyOf(ctx), sealed, CONTEXT) });
  if (!user?.email) return;
  const token = ctx.accounts.mailTokens.issue({
    kind: 'reset',
    userId: user.id,
    stamp: String(user.passwordVersion),
    expiresAt: ctx.now + MAIL_TOKEN_SECONDS,
  });
  const mail = resetMail(user.email, mailLink(linkBase, 'reset-password', token), languageOf(language));
  await ctx.transaction((command) => command.mail(mail));
}
