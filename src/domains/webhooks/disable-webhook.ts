import { listAdminEmails } from '../accounts/index.ts';
import { getBusiness } from '../businesses/index.ts';
import type { Command } from './context.ts';
import { lockWebhook, updateWebhook, viewWebhook } from './webhook-queries.ts';

/** Leaves the receiver alone from now on, and tells the ADMINs why. What waits is sent when it is enabled again. */
export async function disableWebhook(ctx: Command, id: string, reason: string): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  const row = await lockWebhook(tx, businessId, id);
  if (!row?.enabled) return;
  const next = { ...row, enabled: false, disabledReason: reason, version: row.version + 1, updatedAt: now };
  await updateWebhook(tx, next);
  await ctx.emit({
    type: 'webhook.disabled',
    entity: `webhook:${id}`,
    data: viewWebhook(next),
    before: viewWebhook(row),
  });
  const { name } = await getBusiness(ctx, businessId);
  for (const to of await listAdminEmails(tx, businessId)) {
    await ctx.mail({
      to,
      subject: `A webhook of ${name} was disabled`,
      text: `The webhook ${row.url} of ${name} is not called any more. ${reason}\n\nEvents that wait for it are sent when you enable it again; those of the time in between can be sent by a replay.`,
    });
  }
}
