import { type MailTexts, textsIn } from '../../shared/mail/languages.ts';
import { listAdminEmails } from '../accounts/index.ts';
import { businessLanguage, getBusiness, writeBusinessMail } from '../businesses/index.ts';
import type { Command } from './context.ts';
import { lockWebhook, updateWebhook, viewWebhook } from './webhook-queries.ts';

/** Stops deliveries and emails the admins the reason. Pending deliveries are sent once the webhook is enabled again. */
export async function disableWebhook(
  ctx: Command,
  id: string,
  reason: keyof MailTexts['webhookDisabled'],
): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  const row = await lockWebhook(tx, businessId, id);
  if (!row?.enabled) return;
  const next = {
    ...row,
    enabled: false,
    disabledReason: textsIn('en').webhookDisabled[reason],
    version: row.version + 1,
    updatedAt: now,
  };
  await updateWebhook(tx, next);
  ctx.emit({
    type: 'webhook.disabled',
    entity: `webhook:${id}`,
    data: viewWebhook(next),
    before: viewWebhook(row),
  });
  const business = await getBusiness(ctx, businessId);
  const language = businessLanguage(business);
  const mail = writeBusinessMail(business, {
    kind: 'STAFF_WEBHOOK_DISABLED',
    language,
    values: { 'webhook.url': row.url, reason: textsIn(language).webhookDisabled[reason] },
    publicUrl: ctx.publicUrl(),
  });
  for (const to of await listAdminEmails(tx, businessId)) await ctx.mail({ to, ...mail });
}
