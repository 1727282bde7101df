import { notFound } from '../../../shared/errors.ts';
import { getCollection } from '../../content/index.ts';
import type { Command, Query } from '../context.ts';
import { findSubscription, lockSubscription, type SubscriptionRow } from './queries.ts';
import { type Consent, type Subscriber, subscriberOf } from './schemas.ts';

export type SubscriberPath = { collectionId: string; subscriberId: string };

export async function readSubscriber(ctx: Query, path: SubscriberPath): Promise<Subscriber> {
  return subscriberOf(await getSubscriber(ctx, path));
}

export async function readConsent(ctx: Query, path: SubscriberPath): Promise<Consent> {
  const { id, email, consent } = await getSubscriber(ctx, path);
  if (!consent) throw notFound('Consent');
  return { subscriptionId: id, email, ...consent };
}

async function getSubscriber({ db, businessId }: Query, path: SubscriberPath): Promise<SubscriptionRow> {
  await getCollection(db, businessId, path.collectionId);
  return ofCollection(await findSubscription(db, businessId, path.subscriberId), path);
}

/** For a change. */
export async function lockSubscriber({ db, businessId }: Command, path: SubscriberPath): Promise<SubscriptionRow> {
  await getCollection(db, businessId, path.collectionId);
  return ofCollection(await lockSubscription(db, businessId, path.subscriberId), path);
}

function ofCollection(row: SubscriptionRow | null, { collectionId }: SubscriberPath): SubscriptionRow {
  if (row?.collectionId !== collectionId) throw notFound('Subscriber');
  return row;
}
