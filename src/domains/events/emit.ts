/** Writes events in the transaction of what they tell of. Everything else about them happens later, in the background. */
import type { Fragment, Statement, Tx } from '../../db/sql.ts';
import type { Cause, EventToWrite, NewAccountEvent } from '../../shared/events.ts';
import { newId } from '../../shared/ids.ts';

export function insertEvents(tx: Tx, cause: Cause, events: readonly EventToWrite[]): Statement<object[]> {
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const [actor, address, now] = [add(actorOf(cause)), add(cause.address), add(cause.now)];
  // Several events of one change tell the same record: it is written out once.
  const written = new Map<object, string>();
  const rows = events.map(({ businessId, type, entity, data, changes }) => {
    if (!written.has(data)) written.set(data, add(JSON.stringify(data)));
    const told = changes && JSON.stringify(changes);
    return `(${add(businessId)}, ${add(type)}, ${add(entity)}, ${actor}, ${address}, ${written.get(data)}, ${add(told)}, ${now}::bigint)`;
  });
  return tx.text(
    `insert into event_outbox (business_id, type, entity, actor, address, data, changes, created_at) values ${rows.join(', ')}`,
    values,
  );
}

/** Those that these rows of `type`, `entity` and `data` tell. */
export const insertEventsFrom = (tx: Tx, businessId: string, cause: Cause, rows: Fragment): Statement<object[]> => tx`
  insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
  select ${businessId}, e.type, e.entity, ${actorOf(cause)}, ${cause.address}, e.data, ${cause.now}::bigint
  from (${rows}) e`;

export const insertAccountEvent = (
  tx: Tx,
  cause: Cause,
  { type, userId, data = {}, byOwner = false }: NewAccountEvent,
) => tx`
  insert into account_events (user_id, id, type, actor, address, data, created_at)
  values (${userId}, ${newId('evt')}, ${type}, ${actorOf(cause, byOwner ? userId : null)}, ${cause.address}, ${JSON.stringify(data)}, ${cause.now})`;

/** As JSON. `proved`: who it is, where no token says so. */
function actorOf({ caller, requestId }: Cause, proved: string | null = null): string {
  const request = requestId === '' ? {} : { requestId };
  if (caller === null) {
    return JSON.stringify(
      proved === null ? { type: 'SYSTEM', ...request } : { type: 'USER', userId: proved, ...request },
    );
  }
  const { userId, keyId } = caller;
  return JSON.stringify(
    keyId === null ? { type: 'USER', userId, ...request } : { type: 'API_KEY', userId, keyId, ...request },
  );
}
