import type { Db, Tx } from '../../../../db/sql.ts';
import type { Filter } from '../../segments/filter.ts';
import { isIn } from '../../segments/sets.ts';
import { isSuppressed } from '../../suppressions/queries.ts';
import type { Zones } from '../local-time.ts';
import type { SendRow } from '../send-queries.ts';
import { countVersions } from '../versions.ts';
import { BATCH_SIZE } from './queries.ts';

/**
 * The ACTIVE subscribers who can read the entry and whose address is not suppressed. `filter` limits them to a segment, `only` to these
 * subscriptions. With `zones`, each delivery is due at the time of its zone. `isSingle`: nobody has more than one subscription.
 */
export type Audience = {
  filter: Filter | null;
  isSingle: boolean;
  only?: readonly string[];
  planIds?: readonly string[];
  /** With `planIds`: plans that have ended, each as `subscriptionId/planId`. */
  ended: readonly string[];
  zones: Zones | null;
};

/** A query for rows of `id`, `email`, `name`, `due_at` and `variant`. */
function recipients(
  tx: Tx,
  send: SendRow,
  { filter, isSingle, only, planIds, ended, zones }: Audience,
  nowSeconds: number,
) {
  const { businessId, collectionId, experiment, scheduledAt } = send;
  return tx`
    select s.id, s.email, s.name, ${zones ? tx`coalesce(z.time, ${scheduledAt})` : tx`0::bigint`} as due_at,
      ${experiment ? testedVersion(tx, send) : tx`null::smallint`} as variant
    from subscriptions s ${zones ? joinZones(tx, zones) : tx``}
    where s.business_id = ${businessId} and s.collection_id = ${collectionId} and s.status = 'ACTIVE'
      and not ${isSuppressed(tx, 's')} ${filter ? tx`and ${isIn(tx, 's', filter, { businessId, collectionId, nowSeconds, isSingle })}` : tx``}
      ${only ? tx`and s.id = any(${only as string[]})` : tx``}
      ${planIds ? tx`and s.plan_id = any(${planIds as string[]})` : tx``}
      ${ended.length > 0 ? tx`and not s.id || '/' || s.plan_id = any(${ended as string[]})` : tx``}`;
}

/**
 * Inserts deliveries and batches for the next recipients by ID, in one statement. `batches`: the number of batches that the send already
 * has.
 */
export async function insertNext(
  tx: Tx,
  send: SendRow,
  audience: Audience,
  { after, limit, batches, nowSeconds }: { after: string; limit: number; batches: number; nowSeconds: number },
): Promise<{ recipients: number; batches: number; last: string | null }> {
  const { businessId, id } = send;
  const [row] = await tx<[{ recipients: number; batches: number; last: string | null }]>`
    with audience as (
      insert into deliveries (business_id, send_id, subscription_id, email, name, updated_at, due_at, variant)
      select ${businessId}, ${id}, r.id, r.email, r.name, ${nowSeconds}, r.due_at, r.variant
      from (${recipients(tx, send, audience, nowSeconds)} and s.id > ${after} order by s.id limit ${limit}) r
      returning subscription_id, due_at
    ), numbered as (
      select subscription_id, due_at, (row_number() over (order by subscription_id) - 1) / ${BATCH_SIZE} as number from audience
    ), batched as (
      insert into delivery_batches (business_id, send_id, number, first_id, last_id, size, due_at)
      select ${businessId}, ${id}, ${batches} + number, min(subscription_id), max(subscription_id), count(*), min(due_at)
      from numbered group by number
      returning size, last_id
    )
    select coalesce(sum(size), 0)::int as recipients, count(*)::int as batches, max(last_id) as last from batched`;
  return row;
}

/**
 * Computes the whole audience and numbers it by ID, in a temporary table that is dropped on commit. Citus can insert from such a table, but
 * not from a `with` query.
 */
export async function storeAudience(tx: Tx, send: SendRow, audience: Audience, nowSeconds: number): Promise<number> {
  await tx`
    create temporary table audience on commit drop as
    select r.*, row_number() over (order by r.id) - 1 as number from (
      ${recipients(tx, send, audience, nowSeconds)} ${send.experiment ? tx`window hashed as (order by md5(${send.id} || s.id), s.id)` : tx``}
    ) r`;
  await tx`create index on audience (number)`;
  const [row] = await tx<[{ count: number }]>`select count(*)::int as count from audience`;
  return row.count;
}

/** Inserts the deliveries of the stored recipients numbered `from` (inclusive) to `to` (exclusive). */
export async function insertStored(tx: Tx, { businessId, id }: SendRow, from: number, to: number, nowSeconds: number) {
  await tx`
    insert into deliveries (business_id, send_id, subscription_id, email, name, updated_at, due_at, variant)
    select ${businessId}, ${id}, r.id, r.email, r.name, ${nowSeconds}::bigint, r.due_at, r.variant
    from audience r where r.number >= ${from} and r.number < ${to}`;
}

/** Inserts the batches of all stored recipients. */
export async function insertStoredBatches(tx: Tx, { businessId, id }: SendRow): Promise<void> {
  await tx`
    insert into delivery_batches (business_id, send_id, number, first_id, last_id, size, due_at)
    select ${businessId}, ${id}, r.batch, min(r.id), max(r.id), count(*), min(r.due_at)
    from (select *, number / ${BATCH_SIZE} as batch from audience) r group by r.batch`;
}

const joinZones = (db: Db, { zones, times }: Zones) => db`
  left join unnest(${zones as string[]}::text[], ${times as number[]}::bigint[]) as z (zone, time) on z.zone = s.time_zone`;

/**
 * Sorts the audience by a hash, so that the order is random but the same on every attempt. The first part, at least one subscriber per
 * version, is the test group, and gets the versions in turn.
 */
const testedVersion = (db: Db, { experiment }: SendRow) => {
  const versions = countVersions(experiment!);
  return db`case
    when row_number() over hashed <= greatest(round(${experiment!.share}::numeric * count(*) over ()), ${versions})
    then ((row_number() over hashed - 1) % ${versions})::smallint end`;
};
