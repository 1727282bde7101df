/** The feed of a subscriber. It contains what the subscriber can read. Its URL is secret and can be replaced. */
import type { Db } from '../../../../db/sql.ts';
import { notFound } from '../../../../shared/errors.ts';
import { emailKey } from '../../../../shared/text/email.ts';
import { getBusiness, siteUrl } from '../../../businesses/index.ts';
import { getCollection } from '../../../content/index.ts';
import type { Command, Query } from '../../context.ts';
import { withoutEnded } from '../plans/active-plans.ts';
import { findSubscription, listActiveOf, type SubscriptionRow, updateFeedNumber } from '../queries.ts';
import { subscriberOf } from '../schemas.ts';

export type FeedLink = { url: string };

/** The feed URL of the caller's own subscription. */
export async function readFeedLink(ctx: Query, collection: string): Promise<FeedLink> {
  const { row, slug } = await getOwn(ctx, collection);
  return linkOf(ctx, row, slug);
}

/** Makes the previous URL invalid and returns a new one. */
export async function replaceFeedLink(ctx: Command, collection: string): Promise<FeedLink> {
  const { row, slug } = await getOwn(ctx, collection);
  const changed = await updateFeedNumber(ctx.db, ctx.businessId, row.id, ctx.now);
  // The URL is secret, so the event does not show the change.
  ctx.emit({ type: 'subscription.updated', entity: `subscription:${row.id}`, data: subscriberOf(changed) });
  return linkOf(ctx, changed, slug);
}

async function linkOf(ctx: Query | Command, row: SubscriptionRow, slug: string): Promise<FeedLink> {
  const { businessId, id: subscriptionId, feedNumber } = row;
  const business = await getBusiness(ctx, businessId);
  const token = ctx.newsletters.feedTokens.token({ businessId, subscriptionId, feedNumber });
  return { url: `${siteUrl(ctx, business)}/${encodeURIComponent(slug)}/feed.xml?token=${token}` };
}

async function getOwn({ db, businessId, caller }: Query | Command, idOrSlug: string) {
  const { id, slug } = await getCollection(db, businessId, idOrSlug);
  const key = caller.isConfirmed && caller.email !== null ? emailKey(caller.email) : null;
  const found = await listActiveOf(db, businessId, { collectionIds: [id], userId: caller.userId, emailKey: key });
  const [row] = found;
  if (!row) throw notFound('Subscription');
  return { row, slug };
}

/** The plans that this token's feed can read. Empty if the subscription or its plan has ended. Null if the token is invalid. */
export async function findFeedPlans(
  { db, businessId, now, newsletters }: Pick<Query, 'businessId' | 'now' | 'newsletters'> & { db: Db },
  token: string,
): Promise<{ collectionId: string; planId: string }[] | null> {
  const ids = newsletters.feedTokens.read(token);
  if (ids?.businessId !== businessId) return null;
  const row = await findSubscription(db, businessId, ids.subscriptionId);
  if (!row || row.feedNumber !== ids.feedNumber) return null;
  return row.status === 'ACTIVE' ? withoutEnded(db, [row], now) : [];
}
