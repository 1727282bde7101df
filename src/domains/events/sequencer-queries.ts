import type { Db, Tx } from '../../db/sql.ts';

export type NumberedEvent = { position: number; type: string; entity: string };

/**
 * Numbers up to `limit` events of the outbox in insertion order and returns them in that order. Returns null if another process holds the
 * lock. Events of one entity are inserted in commit order, because commands lock the records they change.
 */
export async function numberEvents(tx: Tx, businessId: string, limit: number): Promise<NumberedEvent[] | null> {
  const events = await tx<(NumberedEvent | { position: null })[]>`
    select position, type, entity from number_events(${businessId}, ${limit}::int)`;
  return events.every((event) => event.position !== null) ? events : null;
}

/** Businesses with events that are not numbered yet. */
export const listWaitingBusinesses = (db: Db, businessId: string | null, limit: number) => db<{ businessId: string }[]>`
  select distinct business_id from event_outbox
  ${businessId === null ? db`` : db`where business_id = ${businessId}`} limit ${limit}`;
