import type { Versioned } from '../../../context/index.ts';
import { conflict, notFound } from '../../../shared/errors.ts';
import { getCollection } from '../../content/index.ts';
import { openPortal } from '../../payments/index.ts';
import type { Command, Query } from '../context.ts';
import { findAgreementOf, readBilling } from './plans/plan-billing.ts';
import { findSubscription, lockSubscription, type SubscriptionRow } from './queries.ts';
import { type Consent, type PortalLink, type SubscriberDetail, subscriberOf } from './schemas.ts';

/** `collection` is an ID or slug. */
export type SubscriberPath = { collection: string; subscriberId: string };

export async function readSubscriber(ctx: Query, path: SubscriberPath): Promise<Versioned<SubscriberDetail>> {
  const row = await getSubscriber(ctx, path);
  return {
    record: { ...subscriberOf(row), referrals: row.referrals, billing: await readBilling(ctx, row) },
    version: row.version,
  };
}

/** The URL where the subscriber manages their plan: the provider's billing portal, or our own page if it has none. */
export async function readPortal(ctx: Query, path: SubscriberPath): Promise<PortalLink> {
  const row = await getSubscriber(ctx, path);
  const agreement = await findAgreementOf(ctx.db, row);
  if (!agreement || agreement.status === 'ENDED') throw conflict('This subscriber has no recurring plan.');
  const page = ctx.newsletters.planTokens.url(ctx.publicUrl(), row, ctx.now);
  return { url: (await openPortal(ctx, agreement, page)) ?? page };
}

export async function readConsent(ctx: Query, path: SubscriberPath): Promise<Consent> {
  const { id, email, consent } = await getSubscriber(ctx, path);
  if (!consent) throw notFound('Consent');
  return { subscriptionId: id, email, ...consent };
}

async function getSubscriber({ db, businessId }: Query, path: SubscriberPath): Promise<SubscriptionRow> {
  const { id } = await getCollection(db, businessId, path.collection);
  return checkCollection(await findSubscription(db, businessId, path.subscriberId), id);
}

/** Locks the subscriber for an update and checks the version in the request. */
export async function lockSubscriber(ctx: Command, path: SubscriberPath): Promise<SubscriptionRow> {
  const { db, businessId } = ctx;
  const { id } = await getCollection(db, businessId, path.collection);
  const row = checkCollection(await lockSubscription(db, businessId, path.subscriberId), id);
  ctx.checkVersion(row.version);
  return row;
}

function checkCollection(row: SubscriptionRow | null, collectionId: string): SubscriptionRow {
  if (row?.collectionId !== collectionId) throw notFound('Subscriber');
  return row;
}
