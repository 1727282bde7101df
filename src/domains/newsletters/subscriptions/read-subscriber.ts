import type { Versioned } from '../../../context/index.ts';
import { conflict, notFound } from '../../../shared/errors.ts';
import { getCollection } from '../../content/index.ts';
import { openPortal } from '../../payments/index.ts';
import type { Command, Query, Steps } from '../context.ts';
import { findAgreementOf, readBilling } from './plan-billing.ts';
import { findSubscription, lockSubscription, type SubscriptionRow } from './queries.ts';
import { type Consent, type PortalLink, type SubscriberDetail, subscriberOf } from './schemas.ts';

export type SubscriberPath = { collectionId: string; subscriberId: string };

export async function readSubscriber(ctx: Query, path: SubscriberPath): Promise<Versioned<SubscriberDetail>> {
  const row = await getSubscriber(ctx, path);
  return { record: { ...subscriberOf(row), billing: await readBilling(ctx, row) }, version: row.version };
}

/** Where the reader manages their plan: the provider's page, or our own where it has none. */
export async function readPortal(ctx: Steps, path: SubscriberPath): Promise<PortalLink> {
  const row = await getSubscriber(ctx, path);
  const agreement = await findAgreementOf(ctx.db, row);
  if (!agreement || agreement.status === 'ENDED') throw conflict('This subscriber has no plan that renews.');
  const page = ctx.newsletters.planTokens.url(ctx.publicUrl(), row, ctx.now);
  return { url: (await openPortal(ctx, agreement, page)) ?? page };
}

export async function readConsent(ctx: Query, path: SubscriberPath): Promise<Consent> {
  const { id, email, consent } = await getSubscriber(ctx, path);
  if (!consent) throw notFound('Consent');
  return { subscriptionId: id, email, ...consent };
}

async function getSubscriber({ db, businessId }: Query | Steps, path: SubscriberPath): Promise<SubscriptionRow> {
  await getCollection(db, businessId, path.collectionId);
  return ofCollection(await findSubscription(db, businessId, path.subscriberId), path);
}

/** For a change of the version that the request names. */
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
