import type { Command } from '../../../context/index.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/email.ts';
import type { EventType } from '../../../shared/events.ts';
import { updateEnding } from '../../payments/index.ts';

export const SUBSCRIPTION_STATUSES = ['PENDING', 'ACTIVE', 'PAST_DUE', 'UNSUBSCRIBED', 'BOUNCED'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export type SubscriptionRow = {
  businessId: string;
  id: string;
  collectionId: string;
  email: string;
  emailKey: string;
  name: string;
  userId: string | null;
  planId: string;
  status: SubscriptionStatus;
  /** Null: they have not agreed yet. */
  consent: Consent | null;
  /** A plan that was paid for and takes effect when the address is confirmed. */
  paidPlanId: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
};

/** Who has agreed to what, when and from which network address. Of one that a member states, `userId` is that member. */
export type Consent = {
  source: string;
  at: number;
  address: string | null;
  text: string | null;
  userId: string | null;
};

/** The newsletter is sent to them, or would be if they paid. */
export const isSubscribed = ({ status }: SubscriptionRow) => status === 'ACTIVE' || status === 'PAST_DUE';

/** False, and nothing, when the address has a subscription already. Waits for a transaction that is making one. */
export async function insertSubscription(tx: Tx, row: Omit<SubscriptionRow, 'emailKey' | 'version'>): Promise<boolean> {
  const consent = row.consent && tx.json(row.consent as never);
  const rows = await tx`
    insert into subscriptions ${tx({ ...row, consent, emailKey: emailKey(row.email) } as never)}
    on conflict (business_id, collection_id, email_key) do nothing
    returning id`;
  return rows.length > 0;
}

/** By its address; there must be one. */
export async function lockSubscriptionOf(
  tx: Tx,
  businessId: string,
  collectionId: string,
  email: string,
): Promise<SubscriptionRow> {
  const [row] = await tx<SubscriptionRow[]>`
    select * from subscriptions
    where business_id = ${businessId} and collection_id = ${collectionId} and email_key = ${emailKey(email)}
    for update`;
  return row!;
}

export async function findSubscription(db: Db, businessId: string, id: string): Promise<SubscriptionRow | null> {
  const [row] = await db<SubscriptionRow[]>`
    select * from subscriptions where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockSubscription(tx: Tx, businessId: string, id: string): Promise<SubscriptionRow | null> {
  const [row] = await tx<SubscriptionRow[]>`
    select * from subscriptions where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

export async function updateSubscription(tx: Tx, row: SubscriptionRow): Promise<void> {
  await tx`
    update subscriptions
    set plan_id = ${row.planId}, paid_plan_id = ${row.paidPlanId}, status = ${row.status}, name = ${row.name},
      user_id = ${row.userId}, consent = ${row.consent && tx.json(row.consent as never)}, version = version + 1,
      updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

export async function deleteSubscription(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from subscriptions where business_id = ${businessId} and id = ${id}`;
}

/** For events that a statement on many subscriptions tells: the columns of `s` as `subscriberOf` shows them. */
export const subscriptionEvents = (db: Db, type: EventType, rows: string) => db`
  select ${type} as type, 'subscription:' || s.id as entity, json_build_object('id', s.id,
    'entity', 'collection:' || s.collection_id, 'email', s.email, 'planId', s.plan_id, 'status', s.status,
    'createdAt', s.created_at, 'updatedAt', s.updated_at, 'name', s.name)::text as data
  from ${db(rows)} s`;

/** The businesses with subscriptions that nobody has confirmed or paid since `beforeSeconds`. */
export async function listPendingBusinesses(db: Db, beforeSeconds: number): Promise<string[]> {
  const rows = await db<{ businessId: string }[]>`
    select distinct business_id from subscriptions
    where status = 'PENDING' and updated_at <= ${beforeSeconds} and paid_plan_id is null`;
  return rows.map((row) => row.businessId);
}

/** These subscriptions. Who never agreed is forgotten; who had unsubscribed is so again. A plan that was paid for waits on. */
export async function endPendingSubscriptions(
  ctx: Pick<Command, 'db' | 'businessId' | 'eventsFrom'>,
  beforeSeconds: number,
): Promise<void> {
  const { db: tx, businessId } = ctx;
  await tx`
    with forgotten as (
      delete from subscriptions
      where business_id = ${businessId} and status = 'PENDING' and updated_at <= ${beforeSeconds}
        and paid_plan_id is null and consent is null
      returning *
    ), ended as (
      update subscriptions set status = 'UNSUBSCRIBED', version = version + 1
      where business_id = ${businessId} and status = 'PENDING' and updated_at <= ${beforeSeconds}
        and paid_plan_id is null and consent is not null
      returning *
    ), over as (select * from forgotten union all select * from ended)
    ${ctx.eventsFrom(tx, subscriptionEvents(tx, 'subscription.cancelled', 'over'))}`;
}

export async function hasSubscribers(db: Db, businessId: string, collectionId: string): Promise<boolean> {
  const rows = await db`
    select from subscriptions where business_id = ${businessId} and collection_id = ${collectionId} limit 1`;
  return rows.length > 0;
}

type SubscriberFilter = { status?: string; planId?: string; email?: string; query?: string };

/** Newest first. */
export function listSubscriptions(
  db: Db,
  businessId: string,
  collectionId: string,
  filter: SubscriberFilter,
  before: string | null,
  limit: number,
) {
  const { status, planId, email, query } = filter;
  return db<SubscriptionRow[]>`
    select * from subscriptions
    where business_id = ${businessId} and collection_id = ${collectionId}
      ${before === null ? db`` : db`and id < ${before}`}
      ${status === undefined ? db`` : db`and status = ${status}`}
      ${planId === undefined ? db`` : db`and plan_id = ${planId}`}
      ${email === undefined ? db`` : db`and email_key = ${emailKey(email)}`}
      ${query === undefined ? db`` : db`and strpos(email_key, ${emailKey(query)}) > 0`}
    order by id desc limit ${limit + 1}`;
}

export async function countActive(db: Db, businessId: string, collectionId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from subscriptions
    where business_id = ${businessId} and collection_id = ${collectionId} and status = 'ACTIVE'`;
  return row!.count;
}

/** The accounts that subscribed themselves at one of these businesses, for the user search. */
export const subscribersOf = (db: Db, businessIds: string[]) =>
  db`select user_id from subscriptions where business_id = any (${businessIds}) and user_id is not null`;

/** Up to `limit` subscriptions of a newsletter that was deleted. Returns how many. */
export async function deleteSubscriptionsOf(
  tx: Tx,
  businessId: string,
  collectionId: string,
  limit: number,
): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    delete from subscriptions where business_id = ${businessId} and id = any(array(
      select id from subscriptions where business_id = ${businessId} and collection_id = ${collectionId} limit ${limit}))
    returning id`;
  await updateEnding(
    tx,
    businessId,
    rows.map(({ id }) => `${id}/`),
  );
  return rows.length;
}

/** Who gets the newsletters of a business: now, and of those who subscribed in this time. */
export async function countSubscribers(db: Db, businessId: string, { from, to }: { from: number; to: number }) {
  const [row] = await db<{ active: number; added: number }[]>`
    select count(*)::int as active,
      count(*) filter (where created_at >= ${from} and created_at < ${to})::int as added
    from subscriptions where business_id = ${businessId} and status = 'ACTIVE'`;
  return row!;
}
