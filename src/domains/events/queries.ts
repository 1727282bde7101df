import type { Db, Tx } from '../../db/sql.ts';
import { PAGE_BYTES } from '../../shared/paging.ts';
import type { EventRow } from './event.ts';

type EventFilter = {
  /** LIKE patterns. */
  types?: string[] | undefined;
  entity?: string | undefined;
  actor?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Oldest first from after this position on; null: newest first. */
  after: number | null;
  /** Newest first: from before this position on. */
  before: number | null;
  limit: number;
};

/** No transaction lasts so long that an event is numbered this much later than its time. */
const SKEW_SECONDS = 300;

/** Positions follow time, but for the skew: the index of the times tells where in the feed to look. */
const firstSince = (db: Db, businessId: string, seconds: number) => db`
  (select coalesce((select position from events where business_id = ${businessId} and created_at >= ${seconds - SKEW_SECONDS}
    order by created_at limit 1), 9223372036854775807))`;
const lastUntil = (db: Db, businessId: string, seconds: number) => db`
  (select coalesce((select position from events where business_id = ${businessId} and created_at <= ${seconds + SKEW_SECONDS}
    order by created_at desc limit 1), 0))`;

/** At most about a page of bytes: what does not fit is not even read. */
export const listEvents = (db: Db, businessId: string, filter: EventFilter) => {
  const { types, entity, actor, from, to, after, before, limit } = filter;
  const direction = after === null ? db`desc` : db``;
  return db<(EventRow & { bytes: number })[]>`
    select * from (
      select page.*, sum(bytes) over (order by position ${direction}) - bytes as bytes_before
      from (
        select business_id, position, type, entity, sequence, actor, address, data, changes, created_at,
          octet_length(data) + octet_length(coalesce(changes, '')) as bytes
        from events
        where business_id = ${businessId}
          ${after === null ? db`` : db`and position > ${after}`}
          ${before === null ? db`` : db`and position < ${before}`}
          ${types === undefined ? db`` : db`and type like any(${types})`}
          ${entity === undefined ? db`` : db`and entity = ${entity}`}
          ${actor === undefined ? db`` : db`and actor_id = ${actor}`}
          ${from === undefined ? db`` : db`and created_at >= ${from} and position >= ${firstSince(db, businessId, from)}`}
          ${to === undefined ? db`` : db`and created_at <= ${to} and position <= ${lastUntil(db, businessId, to)}`}
        order by position ${direction} limit ${limit}
      ) page
    ) measured
    where bytes_before <= ${PAGE_BYTES}
    order by position ${direction}`;
};

/** Events of a time, in their order, from after a position on. */
export const listEventRange = (
  db: Db,
  businessId: string,
  { from, to, after, limit }: { from: number; to: number; after: number; limit: number },
) => db<{ position: number; type: string; entity: string }[]>`
  select position, type, entity from events
  where business_id = ${businessId} and created_at >= ${from} and created_at <= ${to} and position > ${after}
  order by position limit ${limit}`;

export const listEventsAt = (db: Db, businessId: string, positions: readonly number[]) => db<EventRow[]>`
  select business_id, position, type, entity, sequence, actor, address, data, changes, created_at from events
  where business_id = ${businessId} and position = any(${positions as number[]}::bigint[])`;

export async function findHead(db: Db, businessId: string): Promise<number> {
  const [row] = await db<{ position: number }[]>`
    select position from event_heads where business_id = ${businessId}`;
  return row?.position ?? 0;
}

/**
 * The oldest event that is still there; where there is none, the position that the next one gets. The head is read first: an event
 * that is numbered meanwhile has a position behind it.
 */
export async function findOldestPosition(db: Db, businessId: string): Promise<number> {
  const head = await findHead(db, businessId);
  const [row] = await db<{ position: number | null }[]>`
    select min(position) as position from events where business_id = ${businessId}`;
  return row?.position ?? head + 1;
}

type AccountEventRow = {
  id: string;
  type: string;
  actor: string;
  address: string;
  data: string;
  createdAt: number;
};

/** Newest first. */
export const listAccountEvents = (db: Db, userId: string, before: string | null, limit: number) => db<
  AccountEventRow[]
>`
  select id, type, actor, address, data, created_at from account_events
  where user_id = ${userId} ${before === null ? db`` : db`and id < ${before}`}
  order by id desc limit ${limit}`;

/** A batch of those that are older. */
export const deleteEventsBefore = (tx: Tx, businessId: string, seconds: number, limit: number) => tx`
  delete from events where business_id = ${businessId} and position = any(array(
    select position from events where business_id = ${businessId} and created_at < ${seconds}
    order by created_at limit ${limit}))
  returning position`;

export const deleteAccountEventsBefore = (tx: Tx, seconds: number, limit: number) => tx`
  delete from account_events where ctid = any(array(
    select ctid from account_events where created_at < ${seconds} limit ${limit}))
  returning id`;

export const listBusinessesWithEvents = async (db: Db, after: string, limit: number): Promise<string[]> => {
  const rows = await db<{ businessId: string }[]>`
    select business_id from event_heads where business_id > ${after} order by business_id limit ${limit}`;
  return rows.map(({ businessId }) => businessId);
};
