import type { Db, Tx } from '../../db/sql.ts';
import { PAGE_BYTES } from '../../shared/paging.ts';
import type { EventRow } from './event.ts';
import type { Actor } from './schemas.ts';

type EventFilter = {
  /** LIKE patterns. */
  types?: string[] | undefined;
  entity?: string | undefined;
  actor?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** If set, oldest first, starting after this position. If null, newest first. */
  after: number | null;
  /** For newest first: starts before this position. */
  before: number | null;
  limit: number;
  /** Leaves out events of imported records, but not the events of the imports themselves. */
  withoutImported?: boolean;
};

/** Maximum delay between the time of an event and its numbering. Transactions are always shorter. */
const SKEW_SECONDS = 300;

/** Positions follow time within the skew, so the index on time narrows the range of positions. */
const firstSince = (db: Db, businessId: string, seconds: number) => db`
  (select coalesce((select position from events where business_id = ${businessId} and created_at >= ${seconds - SKEW_SECONDS}
    order by created_at limit 1), 9223372036854775807))`;
const lastUntil = (db: Db, businessId: string, seconds: number) => db`
  (select coalesce((select position from events where business_id = ${businessId} and created_at <= ${seconds + SKEW_SECONDS}
    order by created_at desc limit 1), 0))`;

/** Reads at most about one page of bytes. */
export const listEvents = (db: Db, businessId: string, filter: EventFilter) => {
  const { types, entity, actor, from, to, after, before, limit, withoutImported = false } = filter;
  const direction = after === null ? db`desc` : db``;
  return db<(EventRow & { bytes: number })[]>`
    select * from (
      select page.*, sum(bytes) over (order by position ${direction}) - bytes as bytes_before
      from (
        select business_id, position, type, entity, sequence, actor, address, data, changes, created_at, bytes from events
        where business_id = ${businessId}
          ${after === null ? db`` : db`and position > ${after}`}
          ${before === null ? db`` : db`and position < ${before}`}
          ${types === undefined ? db`` : db`and type like any(${types})`}
          ${entity === undefined ? db`` : db`and entity = ${entity}`}
          ${actor === undefined ? db`` : db`and actor_id = ${actor}`}
          ${withoutImported ? db`and (actor ->> 'requestId' is null or actor ->> 'requestId' not like 'imp\\_%')` : db``}
          ${from === undefined ? db`` : db`and created_at >= ${from} and position >= ${firstSince(db, businessId, from)}`}
          ${to === undefined ? db`` : db`and created_at <= ${to} and position <= ${lastUntil(db, businessId, to)}`}
        order by position ${direction} limit ${limit}
      ) page
    ) measured
    where bytes_before <= ${PAGE_BYTES}
    order by position ${direction}`;
};

/** Events of a period in order, starting after a position. */
export const listEventRange = (
  db: Db,
  businessId: string,
  { from, to, after, limit }: { from: number; to: number; after: number; limit: number },
) => db<{ position: number; type: string; entity: string }[]>`
  select position, type, entity from events
  where business_id = ${businessId} and created_at >= ${from} and created_at <= ${to} and position > ${after}
  order by position limit ${limit}`;

/** The number of events of a period whose type matches one of these LIKE patterns. */
export async function countEvents(
  db: Db,
  businessId: string,
  { from, to, types }: { from: number; to: number; types: string[] },
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from events
    where business_id = ${businessId} and created_at >= ${from} and created_at <= ${to} and type like any(${types})`;
  return row!.count;
}

export const listEventsAt = (db: Db, businessId: string, positions: readonly number[]) => db<EventRow[]>`
  select business_id, position, type, entity, sequence, actor, address, data, changes, created_at from events
  where business_id = ${businessId} and position = any(${positions as number[]}::bigint[])`;

export async function findHead(db: Db, businessId: string): Promise<number> {
  const [row] = await db<{ position: number }[]>`
    select position from event_heads where business_id = ${businessId}`;
  return row?.position ?? 0;
}

/** A string that differs after every committed event of the business. */
export async function findFeedState(db: Db, businessId: string): Promise<string> {
  const [row] = await db<{ state: string }[]>`
    select concat_ws(' ', (select position from event_heads where business_id = ${businessId}),
      max(inserted), count(*)) as state
    from (select inserted from event_outbox where business_id = ${businessId} order by inserted desc limit 1000) recent`;
  return row!.state;
}

/**
 * The position of the oldest existing event or, if there is none, of the next event. The head is read first, so that events numbered
 * in the meantime have higher positions.
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
  actor: Actor;
  address: string;
  data: unknown;
  createdAt: number;
};

/** Newest first. */
export const listAccountEvents = (db: Db, userId: string, before: string | null, limit: number) => db<
  AccountEventRow[]
>`
  select id, type, actor, address, data, created_at from account_events
  where user_id = ${userId} ${before === null ? db`` : db`and id < ${before}`}
  order by id desc limit ${limit}`;

/** Deletes a batch of older events. */
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
