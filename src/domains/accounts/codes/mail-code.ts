import { type Language, languageOf } from '../../../shared/mail/languages.ts';
import { requestLanguage, serviceMail } from '../../../shared/mail/service-mail.ts';
import { deriveKey, seal, unseal } from '../../../shared/security/secrets.ts';
import { withoutEnd } from '../../../shared/text/text.ts';
import type { Steps } from '../context.ts';
import { findCredentials } from '../passwords/queries.ts';
import { isRegistrationAllowed } from '../registration.ts';

export const MAIL_CODE_JOB = 'login-code';

/** `linkBase` is empty if the email has no link. */
type CodeMail = {
  email: string;
  code: string;
  linkBase: string;
  name?: string;
  invitationToken?: string | undefined;
};

/** Encrypted, because job rows outlive the job. */
export type MailCodeJob = { sealed: string; language: Language };

const CONTEXT = 'login-code';
const keyOf = ({ config }: Steps) => deriveKey(config.secretKey, 'login-code-mails');

export const codeJob = (ctx: Steps, mail: CodeMail): MailCodeJob => ({
  sealed: seal(keyOf(ctx), JSON.stringify(mail), CONTEXT),
  language: requestLanguage(ctx),
});

/** A job. Sends nothing to an email without an account while registration is by invitation only. */
export async function mailCode(ctx: Steps, { sealed, language }: MailCodeJob): Promise<void> {
  const content = JSON.parse(unseal(keyOf(ctx), sealed, CONTEXT)) as CodeMail;
  const { email, code, linkBase, name = '', invitationToken } = content;
  const user = await findCredentials(ctx.db, { email });
  if (!user?.isConfirmed && !(await isRegistrationAllowed(ctx, email, invitationToken))) return;
  // In the fragment, which browsers never send to a server: the page fills in the code, and the person presses a button.
  const fragment = new URLSearchParams({ email, code });
  const link = linkBase && `${withoutEnd(linkBase, '/')}/login-code#${fragment}`;
  const mail = {
    to: user?.email ?? email,
    ...serviceMail('LOGIN_CODE', languageOf(language), { link, name, values: { code } }),
  };
  await ctx.transaction((command) => command.mail(mail));
}
