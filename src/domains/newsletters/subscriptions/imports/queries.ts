import type { Db, Tx } from '../../../../db/sql.ts';
import { jsonText } from '../../../../shared/text/json-text.ts';
import type { Command } from '../../context.ts';
import { insertImportedChanges } from '../../stats/growth-queries.ts';
import type { SubscriptionRow } from '../queries.ts';
import { subscriberOf } from '../schemas.ts';

/** Locks the subscriptions of these newsletters and addresses, in the order of their IDs. */
export const lockSubscriptionsOf = (
  tx: Tx,
  businessId: string,
  keys: readonly { collectionId: string; email: string }[],
) => tx<SubscriptionRow[]>`
  select s.* from subscriptions s
  join unnest(${keys.map(({ collectionId }) => collectionId)}::text[], ${keys.map(({ email }) => email.toLowerCase())}::text[])
    as w (collection_id, email_key) on w.collection_id = s.collection_id and w.email_key = s.email_key
  where s.business_id = ${businessId}
  order by s.id for update of s`;

/** Inserts subscriptions and their events. */
export async function insertSubscriptions(ctx: Command, rows: readonly SubscriptionRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { db: tx, businessId } = ctx;
  const texts = <K extends keyof SubscriptionRow>(field: K) => rows.map((row) => row[field]);
  await Promise.all([
    tx`
      insert into subscriptions (business_id, id, collection_id, email, email_key, name, plan_id, status, consent, tags, fields, time_zone, do_not_track, referrals, created_at, updated_at)
      select ${businessId}, s.id, s.collection_id, s.email, s.email_key, s.name, s.plan_id, s.status, s.consent::jsonb, array(select jsonb_array_elements_text(s.tags::jsonb)), s.fields::jsonb, s.time_zone, s.do_not_track, s.referrals, s.created_at, s.updated_at
      from unnest(${texts('id')}::text[], ${texts('collectionId')}::text[], ${texts('email')}::text[], ${texts('emailKey')}::text[],
        ${texts('name')}::text[], ${texts('planId')}::text[], ${texts('status')}::text[],
        ${rows.map(({ consent }) => consent && JSON.stringify(consent))}::text[], ${rows.map(({ tags }) => JSON.stringify(tags))}::text[],
        ${rows.map(({ fields }) => JSON.stringify(fields))}::text[], ${texts('timeZone')}::text[], ${texts('doNotTrack')}::boolean[], ${texts('referrals')}::int[],
        ${texts('createdAt')}::bigint[], ${texts('updatedAt')}::bigint[])
        as s (id, collection_id, email, email_key, name, plan_id, status, consent, tags, fields, time_zone, do_not_track, referrals, created_at, updated_at)`,
    insertImportedChanges(tx, businessId, rows),
    ctx.eventsFrom(
      tx,
      tx`select 'subscription.created' as type, 'subscription:' || e.id as entity, e.data
        from unnest(${texts('id')}::text[], ${rows.map((row) => jsonText(subscriberOf(row)))}::jsonb[]) as e (id, data)`,
    ),
  ]);
}

/** Sorted by ID, starting after the given ID. If `collectionId` is null, subscriptions of all newsletters. */
export const listSubscriptionsForExport = (
  db: Db,
  businessId: string,
  { collectionId, after, limit }: { collectionId: string | null; after: string; limit: number },
) => db<SubscriptionRow[]>`
  select s.* from subscriptions s
  where s.business_id = ${businessId} and s.id > ${after} ${collectionId === null ? db`` : db`and s.collection_id = ${collectionId}`}
    and exists (select from collections c where c.business_id = s.business_id and c.id = s.collection_id and c.deleted_at is null)
  order by s.id limit ${limit}`;
