import type { Command } from '../../../context/index.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import type { EventType } from '../../../shared/events.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { updateEnding } from '../../payments/index.ts';
import type { Filter } from '../segments/filter.ts';
import { isIn } from '../segments/sets.ts';
import { insertChanges } from '../stats/growth-queries.ts';
import { isSuppressed } from '../suppressions/queries.ts';

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
  /** Null until the subscriber has given consent. */
  consent: Consent | null;
  /** A plan that was paid for and takes effect when the address is confirmed. */
  paidPlanId: string | null;
  /** In lower case. */
  tags: readonly string[];
  /** Fields that the business defined. */
  fields: Readonly<Record<string, string>>;
  /** Null means the time zone of the business. */
  timeZone: string | null;
  /** Opens and clicks are counted, but not stored with the subscriber. */
  doNotTrack: boolean;
  /** Part of the URL of the subscriber's feed. */
  feedNumber: number;
  /** Confirmed sign-ups through the subscriber's link. */
  referrals: number;
  version: number;
  createdAt: number;
  updatedAt: number;
};

/** The consent: its source, text, time and IP address. If a member states the consent, `userId` is the member. */
export type Consent = {
  source: string;
  at: number;
  address: string | null;
  text: string | null;
  userId: string | null;
};

/** Whether the subscriber gets the newsletter, or would get it after paying. */
export const isSubscribed = ({ status }: SubscriptionRow) => status === 'ACTIVE' || status === 'PAST_DUE';

type Defaulted = 'tags' | 'fields' | 'timeZone' | 'doNotTrack';
type NewSubscription = Omit<SubscriptionRow, 'emailKey' | 'feedNumber' | 'referrals' | 'version' | Defaulted> &
  Partial<Pick<SubscriptionRow, Defaulted>>;

/** Returns false if the address already has a subscription. Waits for a concurrent insert. */
export async function insertSubscription(
  tx: Tx,
  { tags = [], fields = {}, ...row }: NewSubscription,
): Promise<boolean> {
  const json = { consent: row.consent && tx.json(row.consent), fields: tx.json(fields) };
  const rows = await tx`
    with joined as (
      insert into subscriptions ${tx({ ...row, ...json, tags, emailKey: emailKey(row.email) } as never)}
      on conflict (business_id, collection_id, email_key) do nothing
      returning *
    )
    ${insertChanges(tx, 'joined', 'JOINED', row.createdAt)} returning kind`;
  return rows.length > 0;
}

/** Locks the subscription of this address, which must exist. */
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
    with before as (
      select status from subscriptions where business_id = ${row.businessId} and id = ${row.id}
    ), updated as (
    update subscriptions
    set plan_id = ${row.planId}, paid_plan_id = ${row.paidPlanId}, status = ${row.status}, name = ${row.name},
      user_id = ${row.userId}, time_zone = ${row.timeZone}, do_not_track = ${row.doNotTrack}, tags = ${row.tags as string[]}, fields = ${tx.json(row.fields)}, consent = ${row.consent && tx.json(row.consent as never)}, version = version + 1,
      updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id}
    returning *
    ), changed as (
      select u.*, b.status in ('ACTIVE', 'PAST_DUE') as was_subscribed from updated u cross join before b
      where (b.status in ('ACTIVE', 'PAST_DUE')) <> (u.status in ('ACTIVE', 'PAST_DUE'))
    )
    ${insertChanges(tx, 'changed', tx`case when was_subscribed then 'LEFT' else 'CONFIRMED' end`, row.updatedAt)}`;
}

export async function updateFeedNumber(
  tx: Tx,
  businessId: string,
  id: string,
  nowSeconds: number,
): Promise<SubscriptionRow> {
  const [row] = await tx<SubscriptionRow[]>`
    update subscriptions set feed_number = feed_number + 1, version = version + 1, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id}
    returning *`;
  return row!;
}

export async function deleteSubscription(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<void> {
  await tx`
    with deleted as (
      delete from subscriptions where business_id = ${businessId} and id = ${id} returning *
    ), ended as (select * from deleted where status in ('ACTIVE', 'PAST_DUE'))
    ${insertChanges(tx, 'ended', 'LEFT', nowSeconds)}`;
}

/** Events for a statement that changes many subscriptions. The data matches `subscriberOf`. */
export const subscriptionEvents = (db: Db, type: EventType, rows: string) => db`
  select ${type} as type, 'subscription:' || s.id as entity, jsonb_build_object('id', s.id,
    'entity', 'collection:' || s.collection_id, 'email', s.email, 'planId', s.plan_id, 'status', s.status,
    'createdAt', s.created_at, 'updatedAt', s.updated_at, 'name', s.name, 'tags', to_jsonb(s.tags), 'fields', s.fields,
    'timeZone', s.time_zone, 'doNotTrack', s.do_not_track) as data
  from ${db(rows)} s`;

/** Marks all active subscriptions of an address that can't be reached. */
export async function bounceSubscriptions(
  ctx: Pick<Command, 'db' | 'businessId' | 'now' | 'eventsFrom'>,
  key: string,
): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  await tx`
    with bounced as (
      update subscriptions set status = 'BOUNCED', version = version + 1, updated_at = ${now}
      where business_id = ${businessId} and email_key = ${key} and status = 'ACTIVE'
      returning *
    ), changes as (${insertChanges(tx, 'bounced', 'LEFT', now)})
    ${ctx.eventsFrom(tx, subscriptionEvents(tx, 'subscription.bounced', 'bounced'))}`;
}

/** Businesses with subscriptions that have been neither confirmed nor paid for since `beforeSeconds`. */
export async function listPendingBusinesses(db: Db, beforeSeconds: number): Promise<string[]> {
  const rows = await db<{ businessId: string }[]>`
    select distinct business_id from subscriptions
    where status = 'PENDING' and updated_at <= ${beforeSeconds} and paid_plan_id is null`;
  return rows.map((row) => row.businessId);
}

/**
 * Ends these subscriptions. Deletes those without consent, and sets those that had ended before back to UNSUBSCRIBED. Subscriptions
 * with a paid plan keep waiting for confirmation.
 */
export async function endPendingSubscriptions(
  ctx: Pick<Command, 'db' | 'businessId' | 'eventsFrom'>,
  beforeSeconds: number,
): Promise<void> {
  const { db: tx, businessId } = ctx;
  await tx`
    with deleted as (
      delete from subscriptions
      where business_id = ${businessId} and status = 'PENDING' and updated_at <= ${beforeSeconds}
        and paid_plan_id is null and consent is null
      returning *
    ), ended as (
      update subscriptions set status = 'UNSUBSCRIBED', version = version + 1
      where business_id = ${businessId} and status = 'PENDING' and updated_at <= ${beforeSeconds}
        and paid_plan_id is null and consent is not null
      returning *
    ), over as (select * from deleted union all select * from ended)
    ${ctx.eventsFrom(tx, subscriptionEvents(tx, 'subscription.cancelled', 'over'))}`;
}

export async function hasSubscribers(db: Db, businessId: string, collectionId: string): Promise<boolean> {
  const rows = await db`
    select from subscriptions where business_id = ${businessId} and collection_id = ${collectionId} limit 1`;
  return rows.length > 0;
}

type SubscriberFilter = { status?: string; planId?: string; email?: string; query?: string; tag?: string };

/** Newest first. */
export function listSubscriptions(
  db: Db,
  businessId: string,
  collectionId: string,
  filter: SubscriberFilter,
  before: string | null,
  limit: number,
) {
  const { status, planId, email, query, tag } = filter;
  return db<SubscriptionRow[]>`
    select * from subscriptions
    where business_id = ${businessId} and collection_id = ${collectionId}
      ${before === null ? db`` : db`and id < ${before}`}
      ${status === undefined ? db`` : db`and status = ${status}`}
      ${planId === undefined ? db`` : db`and plan_id = ${planId}`}
      ${email === undefined ? db`` : db`and email_key = ${emailKey(email)}`}
      ${tag === undefined ? db`` : db`and ${tag.toLowerCase()} = any(tags)`}
      ${query === undefined ? db`` : db`and strpos(email_key, ${emailKey(query)}) > 0`}
    order by id desc limit ${limit}`;
}

/** ACTIVE subscriptions of this account or address to these newsletters. */
export function listActiveOf(
  db: Db,
  businessId: string,
  { collectionIds, userId, emailKey }: { collectionIds: string[]; userId: string; emailKey: string | null },
) {
  return db<SubscriptionRow[]>`
    select * from subscriptions
    where business_id = ${businessId} and collection_id = any(${collectionIds}) and status = 'ACTIVE'
      and (user_id = ${userId} ${emailKey === null ? db`` : db`or email_key = ${emailKey}`})`;
}

type RecipientLimits = {
  /** Only subscribers with one of these plans. */
  planIds?: readonly string[] | undefined;
  segment?: { filter: Filter; nowSeconds: number; isSingle: boolean };
};

/** The recipients of a send. */
export async function countActive(
  db: Db,
  businessId: string,
  collectionId: string,
  { planIds, segment }: RecipientLimits,
): Promise<number> {
  const scope = { businessId, collectionId };
  const [row] = await db<{ count: number }[]>`
    select count(*) from subscriptions s
    where business_id = ${businessId} and collection_id = ${collectionId} and status = 'ACTIVE'
      and not ${isSuppressed(db, 's')} ${planIds ? db`and plan_id = any(${planIds as string[]})` : db``}
      ${segment ? db`and ${isIn(db, 's', segment.filter, { ...scope, ...segment })}` : db``}`;
  return row!.count;
}

/** Users who subscribed themselves at one of these businesses, for the user search. */
export const subscribersOf = (db: Db, businessIds: string[]) =>
  db`select user_id from subscriptions where business_id = any (${businessIds}) and user_id is not null`;

/** Deletes up to `limit` subscriptions of a deleted newsletter. Returns the number deleted. */
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

/** The number of active subscribers of a business, and how many of them were added in this period. */
export async function countSubscribers(db: Db, businessId: string, { from, to }: { from: number; to: number }) {
  const [row] = await db<{ active: number; added: number }[]>`
    select count(*)::int as active,
      count(*) filter (where created_at >= ${from} and created_at < ${to})::int as added
    from subscriptions where business_id = ${businessId} and status = 'ACTIVE'`;
  return row!;
}
