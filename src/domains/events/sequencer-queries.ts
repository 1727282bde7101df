import type { Db, Tx } from '../../db/sql.ts';

/** Locks and returns the last position of the business. Returns null if another process holds the lock. */
export async function lockHead(tx: Tx, businessId: string): Promise<number | null> {
  const lock = () => tx<{ position: number }[]>`
    select position from event_heads where business_id = ${businessId} for update skip locked`;
  const [head] = await lock();
  if (head) return head.position;
  await tx`insert into event_heads (business_id, position) values (${businessId}, 0) on conflict do nothing`;
  const [inserted] = await lock();
  return inserted?.position ?? null;
}

export type NumberedEvent = { position: number; type: string; entity: string };

/**
 * Moves up to `limit` events from the outbox in insertion order and returns them in that order. Events of one entity are inserted in
 * commit order, because commands lock the records they change. The smallest ID is looked up first, so that the scan skips the index
 * entries of moved events that are not yet vacuumed.
 */
export function moveEvents(tx: Tx, businessId: string, head: number, limit: number): Promise<NumberedEvent[]> {
  return tx<NumberedEvent[]>`
    with moved as (
      delete from event_outbox where business_id = ${businessId} and inserted = any(array(
        select inserted from event_outbox
        where business_id = ${businessId}
          and inserted >= (select min(inserted) from event_outbox where business_id = ${businessId})
        order by inserted limit ${limit}))
      returning *
    ), numbered as (
      select *, row_number() over (order by inserted) as n,
        row_number() over (partition by entity order by inserted desc) - 1 as later
      from moved
    ), counted as (
      insert into event_sequences as s (business_id, entity, sequence)
      select ${businessId}, entity, count(*) from moved group by entity order by entity
      on conflict (business_id, entity) do update set sequence = s.sequence + excluded.sequence
      returning entity, sequence
    ), written as (
      insert into events (business_id, position, type, entity, sequence, actor, actor_id, address, data, changes,
        bytes, created_at)
      select ${businessId}, ${head}::bigint + n, type, entity, c.sequence - later, actor, actor ->> 'userId', address,
        data, changes, ${bytesOf(tx, 'data')} + coalesce(${bytesOf(tx, 'changes')}, 0), created_at
      from numbered join counted c using (entity)
      returning position, type, entity
    ), raised as (
      update event_heads set position = ${head}::bigint + (select count(*) from moved)
      where business_id = ${businessId} and exists (select from moved)
    )
    select position, type, entity from written order by position`;
}

/** Small values are stored as they are, so their size is known. Large ones are compressed, and their text is much larger. */
const bytesOf = (tx: Tx, column: 'data' | 'changes') =>
  tx.text(
    `case when pg_column_compression(${column}) is null then pg_column_size(${column}) else octet_length(${column}::text) end`,
  );

/** Businesses with events that are not numbered yet. */
export const listWaitingBusinesses = (db: Db, businessId: string | null, limit: number) => db<{ businessId: string }[]>`
  select distinct business_id from event_outbox
  ${businessId === null ? db`` : db`where business_id = ${businessId}`} limit ${limit}`;
