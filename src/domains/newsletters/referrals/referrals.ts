/** Subscribers recommend a newsletter with their own link. Sign-ups through it count when they are confirmed. */
import { notFound } from '../../../shared/errors.ts';
import { mailboxKey } from '../../../shared/text/email.ts';
import type { Command, Query, Steps } from '../context.ts';
import { findNewsletter } from '../subscriptions/find-newsletter.ts';
import { findSubscription, isSubscribed, type SubscriptionRow } from '../subscriptions/queries.ts';
import { insertReferral, isKnown } from './queries.ts';

/** The subscription that a referral link belongs to. Throws 404 if it has ended, or if the newsletter has no referrals. */
export async function readReferral(ctx: Query | Steps, token: string) {
  const ids = ctx.newsletters.referralTokens.read(token);
  const referrer = ids && (await findSubscription(ctx.db, ids.businessId, ids.subscriptionId));
  const newsletter = referrer && isSubscribed(referrer) ? await findNewsletter(ctx, referrer) : null;
  if (!newsletter?.settings.referrals) throw notFound('Link');
  return { referrer: referrer!, newsletter };
}

/** The link, or null if the newsletter has no referrals or the subscription is not active. */
export const referralUrl = (
  { newsletters, publicUrl }: Pick<Query, 'newsletters' | 'publicUrl'>,
  { settings }: { settings: { referrals?: boolean } },
  row: SubscriptionRow,
): string | null =>
  settings.referrals && isSubscribed(row) ? newsletters.referralTokens.url(publicUrl(), row.businessId, row.id) : null;

/**
 * Counts a confirmed sign-up for its referrer. `row` is the subscription before the confirmation. The referrer's own mailbox and
 * people that the business already knew don't count.
 */
export async function countReferral({ db: tx, now }: Command, row: SubscriptionRow, referrerId: string): Promise<void> {
  const { businessId, email } = row;
  const referrer = await findSubscription(tx, businessId, referrerId);
  if (!referrer || referrer.collectionId !== row.collectionId || row.consent !== null) return;
  if (mailboxKey(referrer.email) === mailboxKey(email) || (await isKnown(tx, row))) return;
  await insertReferral(tx, businessId, { referrerId, email, nowSeconds: now });
}
