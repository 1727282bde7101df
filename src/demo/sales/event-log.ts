/** Collects past events and inserts them in chronological order. */
import type { Tx } from '../../db/sql.ts';
import { changesOf, type NewEvent } from '../../shared/events.ts';
import { insertRows } from '../rows.ts';

/** The actor and IP address of an event. `userId` is null for the system. */
export type Cause = { now: number; userId: string | null; ip: string };

type EventRow = { createdAt: number };

export function createEventLog(businessId: string) {
  const rows: EventRow[] = [];

  return {
    rows,
    /** Stands in for the `emit` of a command. */
    emitter: ({ now, userId, ip }: Cause) => ({
      emit(...events: NewEvent[]): void {
        for (const { type, entity, data, before } of events) {
          const changes = before ? changesOf(before, data) : null;
          if (changes !== null && Object.keys(changes).length === 0) continue;
          const actor = userId === null ? { type: 'SYSTEM' } : { type: 'USER', userId };
          const row = { businessId, type, entity, actor, address: ip, data, changes, createdAt: now };
          rows.push(row);
        }
      },
    }),
  };
}

export type EventLog = ReturnType<typeof createEventLog>;

/**
 * Inserts the collected events, merged by time with those this transaction has emitted since `openedAt`. Events are numbered in the
 * order of the outbox, and the feed relies on that order being chronological.
 */
export async function insertEventLog(tx: Tx, businessId: string, openedAt: number, { rows }: EventLog): Promise<void> {
  const emitted = await tx<EventRow[]>`
    select business_id, type, entity, actor, address, data, changes, created_at from event_outbox
    where business_id = ${businessId} and created_at > ${openedAt} order by inserted`;
  await tx`delete from event_outbox where business_id = ${businessId} and created_at > ${openedAt}`;
  const all = [...rows, ...emitted].sort((a, b) => a.createdAt - b.createdAt);
  await insertRows(tx, 'event_outbox', all);
}
