import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import { getCollection } from '../../content/index.ts';
import type { Command, Query } from '../context.ts';
import { findSubscription, lockSubscription, type SubscriptionRow } from './queries.ts';
import { type Consent, type Subscriber, subscriberOf } from './schemas.ts';

export type SubscriberPath = { collectionId: string; subscriberId: string };

export async function readSubscriber(ctx: Query, path: SubscriberPath): Promise<Versioned<Subscriber>> {
  const row = await getSubscriber(ctx, path);
  return { record: subscriberOf(row), version: row.version };
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
export async function lockSubscriber(ctx: Command, path: SubscriberPath): Promise<SubscriptionRow> {
  const { db, businessId } = ctx;
  await getCollection(db, businessId, path.collectionId);
  const row = ofCollection(await lockSubscription(db, businessId, path.subscriberId), path);
  ctx.checkVersion(row.version);
  return row;
}

function ofCollection(row: SubscriptionRow | null, { collectionId }: SubscriberPath): SubscriptionRow {
  if (row?.collectionId !== collectionId) throw notFound('Subscriber');
  return row;
}
