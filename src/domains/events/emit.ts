/** Writes events in the transaction of what they tell of. Everything else about them happens later, in the background. */
import type { Statement, Tx } from '../../db/sql.ts';
import type { Caller } from '../../shared/caller.ts';
import { changesOf, type NewAccountEvent, type NewEvent } from '../../shared/events.ts';
import { newId } from '../../shared/ids.ts';

/** Who caused it, and where from. */
type Cause = { caller: Caller | null; address: string; requestId: string; now: number };

export const insertEvent = (tx: Tx, businessId: string, cause: Cause, event: NewEvent): Statement<object[]> => {
  const changes = event.before ? JSON.stringify(changesOf(event.before, event.data)) : null;
  return tx`
    insert into event_outbox (business_id, type, entity, actor, address, data, changes, created_at)
    values (${businessId}, ${event.type}, ${event.entity}, ${actorOf(cause)}, ${cause.address},
      ${JSON.stringify(event.data)}, ${changes}, ${cause.now})`;
};

export const insertAccountEvent = (tx: Tx, cause: Cause, { type, userId, data = {} }: NewAccountEvent) => tx`
  insert into account_events (user_id, id, type, actor, address, data, created_at)
  values (${userId}, ${newId('evt')}, ${type}, ${actorOf(cause)}, ${cause.address}, ${JSON.stringify(data)}, ${cause.now})`;

/** As JSON. */
function actorOf({ caller, requestId }: Cause): string {
  const request = requestId === '' ? {} : { requestId };
  if (caller === null) return JSON.stringify({ type: 'SYSTEM', ...request });
  const { userId, keyId } = caller;
  return JSON.stringify(
    keyId === null ? { type: 'USER', userId, ...request } : { type: 'API_KEY', userId, keyId, ...request },
  );
}
