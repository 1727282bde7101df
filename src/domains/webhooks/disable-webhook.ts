import { listAdminEmails } from '../accounts/index.ts';
import { getBusiness } from '../businesses/index.ts';
import type { Command } from './context.ts';
import { lockWebhook, updateWebhook, viewWebhook } from './webhook-queries.ts';

/** Stops deliveries and emails the admins the reason. Pending deliveries are sent once the webhook is enabled again. */
export async function disableWebhook(ctx: Command, id: string, reason: string): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  const row = await lockWebhook(tx, businessId, id);
  if (!row?.enabled) return;
  const next = { ...row, enabled: false, disabledReason: reason, version: row.version + 1, updatedAt: now };
  await updateWebhook(tx, next);
  ctx.emit({
    type: 'webhook.disabled',
    entity: `webhook:${id}`,
    data: viewWebhook(next),
    before: viewWebhook(row),
  });
  const { name } = await getBusiness(ctx, businessId);
  for (const to of await listAdminEmails(tx, businessId)) {
    await ctx.mail({
      to,
      subject: `Webhook disabled for ${name}`,
      text: `We disabled the webhook ${row.url} for ${name}. ${reason}\n\nWhen you enable it again, it gets all events that occurred while it was disabled.`,
    });
  }
}
