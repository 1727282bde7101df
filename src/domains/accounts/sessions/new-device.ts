import { requestLanguage, serviceMail } from '../../../shared/mail/service-mail.ts';
import type { Command } from '../context.ts';
import { findUser } from '../profile/queries.ts';
import { findDeviceUse } from './queries.ts';

/** Emails the user about a login with a device that they have not used before. An account's first device sends no email. */
export async function mailNewDevice(ctx: Command, userId: string, device: string): Promise<void> {
  const { isKnown, hasOthers } = await findDeviceUse(ctx.db, userId, device);
  if (isKnown || !hasOthers) return;
  const user = await findUser(ctx.db, userId);
  if (!user?.email) return;
  const link = `${ctx.publicUrl()}/admin/account/security`;
  const values = { device, address: ctx.address };
  await ctx.mail({ to: user.email, ...serviceMail('NEW_DEVICE', requestLanguage(ctx), { link, values }) });
}
