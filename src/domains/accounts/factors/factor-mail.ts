import { requestLanguage, serviceMail } from '../../../shared/mail/service-mail.ts';
import type { Command } from '../context.ts';
import { findCredentials } from '../passwords/queries.ts';

type FactorMail =
  | 'PASSKEY_ADDED'
  | 'PASSKEY_REMOVED'
  | 'TOTP_ADDED'
  | 'TOTP_REMOVED'
  | 'RECOVERY_CODES_CREATED'
  | 'RECOVERY_CODE_USED'
  | 'FACTORS_RESET';

/** Emails the owner of the account, who may not be the one who made the change. `passkey`: the passkey's name. */
export async function mailFactorChange(ctx: Command, userId: string, kind: FactorMail, passkey = ''): Promise<void> {
  const user = await findCredentials(ctx.db, { id: userId });
  if (!user?.email) return;
  const link = `${ctx.publicUrl()}/admin/account/security`;
  const values = { passkey, address: ctx.address };
  await ctx.mail({ to: user.email, ...serviceMail(kind, requestLanguage(ctx), { link, values }) });
}
