import { requestLanguage, serviceMail } from '../../../shared/mail/service-mail.ts';
import type { Command } from '../context.ts';

/** Emails the owner, who may not be the one who created the keys. */
export async function mailNewKeys(ctx: Command, names: readonly string[]): Promise<void> {
  const { email } = ctx.caller;
  if (!email) return;
  const link = `${ctx.publicUrl()}/admin/account/keys`;
  const values = { key: names.join(', '), address: ctx.address };
  await ctx.mail({ to: email, ...serviceMail('NEW_API_KEY', requestLanguage(ctx), { link, values }) });
}
