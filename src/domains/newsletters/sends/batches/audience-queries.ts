import type { Db, Statement, Tx } from '../../../../db/sql.ts';
import type { Filter } from '../../segments/filter.ts';
import { isIn } from '../../segments/sets.ts';
import { isSuppressed } from '../../suppressions/queries.ts';
import type { Zones } from '../local-time.ts';
import type { SendRow } from '../send-queries.ts';
import { countVersions } from '../versions.ts';
import { BATCH_SIZE } from './queries.ts';

/**
 * The ACTIVE subscribers who can read the entry and whose address is not suppressed. `filter` limits them to a segment, `only` to these
 * subscriptions. With `zones`, each delivery is due at the time of its zone.
 */
export type Audience = {
  filter: Filter | null;
  only?: readonly string[];
  planIds?: readonly string[];
  zones: Zones | null;
};

/** A query for rows of `id`, `email`, `name`, `due_at` and `variant`, sorted by ID. */
type Recipients = Statement<object[]>;

function recipients(tx: Tx, send: SendRow, { filter, only, planIds, zones }: Audience, nowSeconds: number) {
  const { businessId, collectionId, experiment, scheduledAt } = send;
  return tx`
    select s.id, s.email, s.name, ${zones ? tx`coalesce(z.time, ${scheduledAt})` : tx`0::bigint`} as due_at,
      ${experiment ? testedVersion(tx, send) : tx`null::smallint`} as variant
    from subscriptions s ${zones ? joinZones(tx, zones) : tx``}
    where s.business_id = ${businessId} and s.collection_id = ${collectionId} and s.status = 'ACTIVE'
      and not ${isSuppressed(tx, 's')} ${filter ? tx`and ${isIn(tx, 's', filter, { businessId, collectionId, nowSeconds })}` : tx``}
      ${only ? tx`and s.id = any(${only as string[]})` : tx``}
      ${planIds ? tx`and s.plan_id = any(${planIds as string[]})` : tx``}`;
}

export const selectAudience = (
  tx: Tx,
  send: SendRow,
  audience: Audience,
  { after, limit, nowSeconds }: { after: string; limit: number; nowSeconds: number },
): Recipients => tx`
  ${recipients(tx, send, audience, nowSeconds)} and s.id > ${after} order by s.id limit ${limit}`;

/** Starts to read the whole audience. It is computed once. */
export async function openAudience(tx: Tx, send: SendRow, audience: Audience, nowSeconds: number): Promise<void> {
  await tx`
    declare audience no scroll cursor for ${recipients(tx, send, audience, nowSeconds)}
    ${send.experiment ? tx`window hashed as (order by md5(${send.id} || s.id), s.id)` : tx``} order by s.id`;
}

type Recipient = { id: string; email: string; name: string; dueAt: number; variant: number | null };

/** The next rows of the audience. */
export const fetchAudience = (tx: Tx, limit: number) => tx.text<Recipient[]>(`fetch ${limit} from audience`);

export function asQuery(tx: Tx, rows: readonly Recipient[]): Recipients {
  const all = <K extends keyof Recipient>(field: K) => rows.map((row) => row[field]);
  return tx`
    select * from unnest(${all('id')}::text[], ${all('email')}::text[], ${all('name')}::text[], ${all('dueAt')}::bigint[],
      ${all('variant')}::smallint[]) as r (id, email, name, due_at, variant)`;
}

/** Inserts a delivery for each recipient, and their batches. `batches`: how many the send has so far. */
export async function insertDeliveries(
  tx: Tx,
  { businessId, id }: SendRow,
  recipients: Recipients,
  batches: number,
  nowSeconds: number,
): Promise<{ recipients: number; batches: number; last: string | null }> {
  const [row] = await tx<[{ recipients: number; batches: number; last: string | null }]>`
    with audience as (
      insert into deliveries (business_id, send_id, subscription_id, email, name, updated_at, due_at, variant)
      select ${businessId}, ${id}, r.id, r.email, r.name, ${nowSeconds}, r.due_at, r.variant from (${recipients}) r
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

const joinZones = (db: Db, { zones, times }: Zones) => db`
  left join unnest(${zones as string[]}::text[], ${times as number[]}::bigint[]) as z (zone, time) on z.zone = s.time_zone`;

/**
 * Sorts the audience by a hash, so that the order is random but the same at every try. The first part, at least one subscriber per
 * version, is the test group, and gets the versions in turn.
 */
const testedVersion = (db: Db, { experiment }: SendRow) => {
  const versions = countVersions(experiment!);
  return db`case
    when row_number() over hashed <= greatest(round(${experiment!.share}::numeric * count(*) over ()), ${versions})
    then ((row_number() over hashed - 1) % ${versions})::smallint end`;
};
