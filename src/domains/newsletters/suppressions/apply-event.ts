import type { MailEvent } from '../../../providers/mail-events/port.ts';
import { emailKey } from '../../../shared/text/email.ts';
import type { Command } from '../context.ts';
import { markFeedback } from '../stats/hit-queries.ts';
import { bounceSubscriptions } from '../subscriptions/queries.ts';
import { clearSoftBounces, countSoftBounce, insertMailEvent } from './queries.ts';
import { suppress } from './suppress.ts';

/** After this many days with a temporary failure and no delivery in between, an address counts as bounced. */
const MAX_SOFT_BOUNCES = 5;
const MAX_DETAIL = 500;

/** Records an event and its effect, once. `provider` is null if a mail server reported it. */
export async function applyEvent(ctx: Command, provider: string | null, event: MailEvent): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  if (!(await insertMailEvent(tx, businessId, provider ?? 'smtp', event, now))) return;
  const { kind, email, atSeconds } = event;
  if (kind === 'OTHER') return;
  const key = emailKey(email);
  if (kind === 'DELIVERED') return clearSoftBounces(tx, businessId, key, atSeconds);
  if (kind === 'SOFT_BOUNCE' && (await countSoftBounce(tx, businessId, key, atSeconds)) < MAX_SOFT_BOUNCES) return;
  if (kind === 'SOFT_BOUNCE') await clearSoftBounces(tx, businessId, key, atSeconds);
  const reason = kind === 'COMPLAINT' ? kind : 'BOUNCE';
  const feedback = reason === 'COMPLAINT' ? 'COMPLAINED' : 'BOUNCED';
  await markFeedback(tx, businessId, { emailKey: key, feedback, atSeconds });
  const detail = event.detail.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_DETAIL);
  const suppressed = await suppress(ctx, {
    email,
    reason,
    detail,
    atSeconds,
    provider: provider?.toUpperCase() ?? null,
  });
  if (suppressed && reason === 'BOUNCE') await bounceSubscriptions(ctx, key);
}
