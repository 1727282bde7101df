import type { Db, Tx } from '../../db/sql.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import type { WebhookDelivery } from './schemas.ts';

export type NewDelivery = { webhookId: string; position: number; type: string; entity: string };

/** Existing deliveries are sent again if `again` is set, otherwise left unchanged. */
export async function insertDeliveries(
  tx: Tx,
  businessId: string,
  deliveries: readonly NewDelivery[],
  nowMs: number,
  { again = false } = {},
): Promise<void> {
  if (deliveries.length === 0) return;
  const column = <K extends keyof NewDelivery>(name: K) => deliveries.map((delivery) => delivery[name]);
  await tx`
    insert into webhook_deliveries (business_id, webhook_id, position, type, entity, status, next_attempt_at, created_at)
    select ${businessId}, webhook_id, position, type, entity, 'PENDING', ${nowMs}::bigint, ${Math.floor(nowMs / 1000)}::bigint
    from unnest(${column('webhookId')}::text[], ${column('position')}::bigint[], ${column('type')}::text[],
      ${column('entity')}::text[]) as d (webhook_id, position, type, entity)
    on conflict (business_id, webhook_id, position) ${
      again
        ? tx`do update set status = 'PENDING', attempt_count = 0, next_attempt_at = excluded.next_attempt_at`
        : tx`do nothing`
    }`;
  await wakeQueues(tx, businessId, [...new Set(column('webhookId'))].sort(), nowMs);
}

/** Marks queues as due, because they have new deliveries. */
export async function wakeQueues(tx: Tx, businessId: string, webhookIds: string[], nowMs: number): Promise<void> {
  await tx`
    update webhook_queues set wakes = wakes + 1, due_at = least(coalesce(due_at, ${nowMs}::bigint), ${nowMs}::bigint)
    where business_id = ${businessId} and webhook_id = any(${webhookIds})`;
}

export type QueueName = { businessId: string; webhookId: string };

/** Unleased queues with due deliveries, of one business or all. */
export const listDueQueues = (db: Db, businessId: string | null, nowMs: number, limit: number) => db<QueueName[]>`
  select business_id, webhook_id from webhook_queues
  where due_at <= ${nowMs} and leased_until < ${nowMs}
    ${businessId === null ? db`` : db`and business_id = ${businessId}`}
  order by due_at limit ${limit}`;

/** `interruptions`: how many processes in a row died with the lease, without saving an outcome. */
export type LeasedQueue = { wakes: number; interruptions: number };

/** Acquires or extends the lease. Returns null if another process holds it. */
export async function leaseQueue(
  tx: Tx,
  { businessId, webhookId }: QueueName,
  { lease, nowMs, untilMs }: { lease: string; nowMs: number; untilMs: number },
): Promise<LeasedQueue | null> {
  const [row] = await tx<LeasedQueue[]>`
    update webhook_queues set lease = ${lease}, leased_until = ${untilMs},
      interruptions = interruptions + coalesce(lease <> ${lease}, false)::int
    where business_id = ${businessId} and webhook_id = ${webhookId} and (lease = ${lease} or leased_until < ${nowMs})
    returning wakes, interruptions`;
  return row ?? null;
}

/** Releases the queue immediately for other processes. */
export async function abandonQueue(tx: Tx, { businessId, webhookId }: QueueName, lease: string): Promise<void> {
  await tx`
    update webhook_queues set lease = null, leased_until = 0, interruptions = 0
    where business_id = ${businessId} and webhook_id = ${webhookId} and lease = ${lease}`;
}

/**
 * Whether the delivery `d` is the first pending one of its entity. Looks it up by key: a join would read all pending deliveries each time.
 */
const isFirstOfEntity = (db: Db, { businessId, webhookId }: QueueName) => db`
  d.position = (
    select e.position from webhook_deliveries e
    where e.business_id = ${businessId} and e.webhook_id = ${webhookId} and e.status = 'PENDING' and e.entity = d.entity
    order by e.position limit 1)`;

/**
 * Releases the queue until its next delivery is due, or for a disabled webhook until it is enabled. Returns false if deliveries were
 * added since `wakes`.
 */
export async function releaseQueue(
  tx: Tx,
  { businessId, webhookId }: QueueName,
  { lease, wakes }: { lease: string; wakes: number },
): Promise<boolean> {
  const rows = await tx`
    update webhook_queues set lease = null, leased_until = 0, interruptions = 0, due_at = (
      select next_attempt_at from webhook_deliveries d join webhooks w
        on w.business_id = ${businessId} and w.id = ${webhookId} and w.enabled
      where d.business_id = ${businessId} and d.webhook_id = ${webhookId} and d.status = 'PENDING'
        and ${isFirstOfEntity(tx, { businessId, webhookId })}
      order by next_attempt_at limit 1)
    where business_id = ${businessId} and webhook_id = ${webhookId} and lease = ${lease} and wakes = ${wakes}
    returning webhook_id`;
  return rows.length > 0;
}

export type DueDelivery = { position: number; type: string; entity: string; attemptCount: number };

/** Due deliveries that are the first of their entity, excluding busy entities. */
export const listDue = (
  db: Db,
  { businessId, webhookId }: QueueName,
  { nowMs, busy, limit }: { nowMs: number; busy: string[]; limit: number },
) => db<DueDelivery[]>`
  select position, type, entity, attempt_count from webhook_deliveries d
  where business_id = ${businessId} and webhook_id = ${webhookId} and status = 'PENDING' and next_attempt_at <= ${nowMs}
    and entity <> all(${busy})
    and ${isFirstOfEntity(db, { businessId, webhookId })}
  order by next_attempt_at, position limit ${limit}`;

export type Outcome = {
  position: number;
  entity: string;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  nextAttemptAt: number;
  attempt: object;
};

/** A delivery can be retried any number of times. Above this size, each new attempt drops the oldest. */
const MAX_ATTEMPTS_BYTES = 65_536;

export async function saveOutcomes(tx: Tx, { businessId, webhookId }: QueueName, outcomes: Outcome[]): Promise<void> {
  const column = <K extends keyof Outcome>(name: K) => outcomes.map((outcome) => outcome[name]);
  await tx`
    update webhook_deliveries d set status = o.status, next_attempt_at = o.next_attempt_at,
      attempt_count = attempt_count + 1,
      attempts = case when octet_length(attempts::text) > ${MAX_ATTEMPTS_BYTES} then attempts - 0 else attempts end
        || o.attempt
    from unnest(${column('position')}::bigint[], ${column('status')}::text[], ${column('nextAttemptAt')}::bigint[],
      ${outcomes.map(({ attempt }) => jsonText(attempt))}::jsonb[]) as o (position, status, next_attempt_at, attempt)
    where d.business_id = ${businessId} and d.webhook_id = ${webhookId} and d.position = o.position
      and d.position = any(${column('position')}::bigint[])`;
  // Later deliveries of the same entity wait for the retry.
  const failed = outcomes.filter(({ status }) => status === 'PENDING');
  if (failed.length === 0) return;
  await tx`
    update webhook_deliveries d set next_attempt_at = o.next_attempt_at
    from unnest(${failed.map(({ entity }) => entity)}::text[], ${failed.map(({ nextAttemptAt }) => nextAttemptAt)}::bigint[])
      as o (entity, next_attempt_at)
    where d.business_id = ${businessId} and d.webhook_id = ${webhookId} and d.status = 'PENDING' and d.entity = o.entity
      and d.entity = any(${failed.map(({ entity }) => entity)}) and d.next_attempt_at < o.next_attempt_at`;
}

/** Resets the failure period when a webhook is enabled again. */
export async function clearFailing(tx: Tx, { businessId, webhookId }: QueueName): Promise<void> {
  await tx`
    update webhook_queues set failing_since = null where business_id = ${businessId} and webhook_id = ${webhookId}`;
}

/** Updates the start of the failure period and returns it in milliseconds, or null if a call has just succeeded. */
export async function updateFailing(
  tx: Tx,
  { businessId, webhookId }: QueueName,
  { succeeded, nowMs }: { succeeded: boolean; nowMs: number },
): Promise<number | null> {
  const [row] = await tx<{ failingSince: number | null }[]>`
    update webhook_queues
    set failing_since = case when ${succeeded}::boolean then null else coalesce(failing_since, ${nowMs}::bigint) end,
      interruptions = 0
    where business_id = ${businessId} and webhook_id = ${webhookId}
    returning failing_since`;
  return row?.failingSince ?? null;
}

export type DeliveryRow = DueDelivery & {
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  attempts: WebhookDelivery['attempts'];
  nextAttemptAt: number;
  createdAt: number;
};

/** Newest first. */
export const listDeliveryRows = (
  db: Db,
  { businessId, webhookId }: QueueName,
  { status, before, limit }: { status: string | null; before: number | null; limit: number },
) => db<(DeliveryRow & { bytes: number })[]>`
  select position, type, entity, status, attempts, attempt_count, next_attempt_at, created_at,
    octet_length(attempts::text) as bytes
  from webhook_deliveries
  where business_id = ${businessId} and webhook_id = ${webhookId}
    ${status === null ? db`` : db`and status = ${status}`}
    ${before === null ? db`` : db`and position < ${before}`}
  order by position desc limit ${limit}`;

export async function findDelivery(db: Db, { businessId, webhookId }: QueueName, position: number) {
  const [row] = await db<DeliveryRow[]>`
    select position, type, entity, status, attempts, attempt_count, next_attempt_at, created_at from webhook_deliveries
    where business_id = ${businessId} and webhook_id = ${webhookId} and position = ${position}`;
  return row ?? null;
}

/** Deletes the responses to these events, which may contain personal data from the requests. */
export async function deleteResponses(tx: Tx, businessId: string, positions: readonly number[]): Promise<void> {
  if (positions.length === 0) return;
  await tx`update webhook_deliveries set attempts = '[]'
    where business_id = ${businessId} and position = any(${positions as number[]}::bigint[])
      and webhook_id = any(array(select id from webhooks where business_id = ${businessId}))`;
}

export const deleteDelivery = (tx: Tx, { businessId, webhookId }: QueueName, position: number) => tx`
  delete from webhook_deliveries where business_id = ${businessId} and webhook_id = ${webhookId} and position = ${position}`;

/** Deletes a batch of deliveries of events before this position. */
export const deleteDeliveriesBefore = (
  tx: Tx,
  { businessId, webhookId }: QueueName,
  position: number,
  limit: number,
) => tx`
  delete from webhook_deliveries where business_id = ${businessId} and webhook_id = ${webhookId} and position = any(array(
    select position from webhook_deliveries
    where business_id = ${businessId} and webhook_id = ${webhookId} and position < ${position}
    order by position limit ${limit}))
  returning position`;

/** Queues of all businesses, starting after the given queue. */
export const listQueues = (db: Db, after: QueueName, limit: number) => db<QueueName[]>`
  select business_id, webhook_id from webhook_queues
  where (business_id, webhook_id) > (${after.businessId}, ${after.webhookId})
  order by business_id, webhook_id limit ${limit}`;
