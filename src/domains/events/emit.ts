/** Inserts events in the transaction of the change. They are numbered and delivered later, in the background. */

import type { ComputedEvent } from '../../context/index.ts';
import type { Fragment, Statement, Tx } from '../../db/sql.ts';
import type { Cause, EventToWrite, NewAccountEvent } from '../../shared/events.ts';
import { newId } from '../../shared/ids.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import type { Actor } from './schemas.ts';

export function insertEvents(tx: Tx, cause: Cause, events: readonly EventToWrite[]): Statement<object[]> {
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const [actor, address, now] = [add(jsonText(actorOf(cause))), add(cause.address), add(cause.now)];
  // Several events of one change share the same record, so it is sent once.
  const written = new Map<object, string>();
  const rows = events.map(({ businessId, type, entity, data, changes, settings = {} }) => {
    if (!written.has(data)) written.set(data, add(jsonText(data)));
    const computed = Object.entries(settings)
      .map(([field, name]) => ` || jsonb_build_object(${add(field)}::text, current_setting(${add(name)}))`)
      .join('');
    const differences = changes && jsonText(changes);
    return `(${add(businessId)}, ${add(type)}, ${add(entity)}, ${actor}::jsonb, ${address}, ${written.get(data)}::jsonb${computed}, ${add(differences)}::jsonb, ${now}::bigint)`;
  });
  return tx.text(
    `insert into event_outbox (business_id, type, entity, actor, address, data, changes, created_at) values ${rows.join(', ')}`,
    values,
  );
}

/** Inserts events from a query with the columns `type`, `entity` and `data` (jsonb). */
export const insertEventsFrom = (tx: Tx, businessId: string, cause: Cause, rows: Fragment): Statement<object[]> => tx`
  insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
  select ${businessId}, e.type, e.entity, ${tx.json(actorOf(cause))}::jsonb, ${cause.address}, e.data, ${cause.now}::bigint
  from (${rows}) e`;

/** Inserts an event whose data is an SQL expression. */
export const insertEventWith = (
  tx: Tx,
  businessId: string,
  cause: Cause,
  { type, entity, data }: ComputedEvent,
): Statement<object[]> => tx`
  insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
  values (${businessId}, ${type}, ${entity}, ${tx.json(actorOf(cause))}::jsonb, ${cause.address}, ${data}, ${cause.now}::bigint)`;

export const eventCause = (tx: Tx, cause: Cause): Fragment =>
  tx`${tx.json(actorOf(cause))}::jsonb, ${cause.address}, ${cause.now}::bigint`;

export const insertAccountEvent = (
  tx: Tx,
  cause: Cause,
  { type, userId, data = {}, byOwner = false }: NewAccountEvent,
) => tx`
  insert into account_events (user_id, id, type, actor, address, data, created_at)
  values (${userId}, ${newId('evt')}, ${type}, ${tx.json(actorOf(cause, byOwner ? userId : null))}, ${cause.address}, ${tx.json(data)}, ${cause.now})`;

/** `provenId` is the verified user of a request without a token. */
function actorOf({ caller, requestId }: Cause, provenId: string | null = null): Actor {
  const request = requestId === '' ? {} : { requestId };
  if (caller === null) {
    return provenId === null ? { type: 'SYSTEM', ...request } : { type: 'USER', userId: provenId, ...request };
  }
  const { userId, keyId } = caller;
  return keyId === null ? { type: 'USER', userId, ...request } : { type: 'API_KEY', userId, keyId, ...request };
}
