import type { EventSource } from '../../../../context/index.ts';
import type { Db, Tx } from '../../../../db/sql.ts';
import { insertChanges } from '../../stats/growth-queries.ts';
import { subscriptionEvents } from '../../subscriptions/queries.ts';
import { isSuppressed } from '../../suppressions/queries.ts';
import type { SendKey } from '../send-queries.ts';

/** One attempt to send a delivery, numbered from 1. `epoch` is the epoch of the claimed batch. */
export type Attempt = { subscriptionId: string; epoch: number; number: number };

export type Outcome = {
  attempt: Attempt;
  status: 'SENT' | 'FAILED' | 'PENDING' | 'UNKNOWN';
  error: string | null;
  /** When a PENDING or UNKNOWN delivery may be retried. */
  dueAt: number;
  /** The address does not exist. */
  isBounce: boolean;
};

/**
 * ATTEMPTING: the delivery is marked, and the message may be sent. SKIPPED: the subscription is no longer ACTIVE, or the address is
 * suppressed. CANCELLED: the send was canceled. LEASE_LOST: the lease has expired and another worker has the batch.
 */
export type Permission = 'ATTEMPTING' | 'SKIPPED' | 'CANCELLED' | 'LEASE_LOST';

/** A connection's write between two messages: the outcome of the last message, and the next attempt. */
export type Mark = { outcome: Outcome | null; next: Attempt | null };

/**
 * Records outcomes and marks the next attempts, in one statement. Returns the permission for each attempt, by subscription.
 *
 * It can be retried when the response was lost: rows already written stay unchanged, and `listMarked` returns the permissions
 * granted by the previous try. A row changes only if its epoch and attempt count match the attempt, so a previous try that the
 * database executes late changes nothing.
 *
 * Business and send are passed as columns alongside the IDs. Only then is the plan a primary key lookup per row, even if the
 * statistics of a table that was just filled are outdated. The business is repeated as a list of one, so that a cluster can route
 * the statement to its node. With a plain equality, the planner would substitute it for the columns.
 */
export async function writeMarks(
  tx: Tx,
  { businessId, id }: SendKey,
  marks: readonly Mark[],
  nowSeconds: number,
): Promise<Map<string, Permission>> {
  const outcomes = marks.flatMap(({ outcome }) => (outcome ? [outcome] : []));
  const next = marks.flatMap((mark) => (mark.next ? [mark.next] : []));
  const here = tx`any(array[${businessId}])`;
  const rows = await tx<{ id: string; permission: Permission }[]>`
    with recorded as (
      update deliveries d
      set status = o.status, error = o.error, due_at = o.due_at, updated_at = ${nowSeconds}
      from unnest(
        ${outcomes.map(() => businessId)}::text[], ${outcomes.map(() => id)}::text[],
        ${outcomes.map(({ attempt }) => attempt.subscriptionId)}::text[],
        ${outcomes.map(({ attempt }) => attempt.epoch)}::int[], ${outcomes.map(({ attempt }) => attempt.number)}::int[],
        ${outcomes.map(({ status }) => status)}::text[], ${outcomes.map(({ error }) => error)}::text[],
        ${outcomes.map(({ dueAt }) => dueAt)}::bigint[]
      ) as o (business_id, send_id, subscription_id, epoch, number, status, error, due_at)
      where d.business_id = o.business_id and d.send_id = o.send_id and d.subscription_id = o.subscription_id
        and d.epoch = o.epoch and d.attempts = o.number and d.status = 'ATTEMPTING' and d.business_id = ${here}
    ), requested as (
      select a.*, (
        select s.status from subscriptions s
        where s.business_id = ${businessId} and s.id = a.subscription_id and not ${isSuppressed(tx, 's')}
      ) as subscription_status from unnest(
        ${next.map(() => businessId)}::text[], ${next.map(() => id)}::text[],
        ${next.map(({ subscriptionId }) => subscriptionId)}::text[], ${next.map(({ epoch }) => epoch)}::int[],
        ${next.map(({ number }) => number)}::int[]
      ) as a (business_id, send_id, subscription_id, epoch, number)
    ), marked as (
      update deliveries d
      set status = case when a.subscription_status = 'ACTIVE' then 'ATTEMPTING' else 'SKIPPED' end,
        attempts = d.attempts + (a.subscription_status is not distinct from 'ACTIVE')::int, updated_at = ${nowSeconds}
      from requested a
      where d.business_id = a.business_id and d.send_id = a.send_id and d.subscription_id = a.subscription_id
        and d.epoch = a.epoch and d.attempts = a.number - 1 and d.status in ('PENDING', 'UNKNOWN')
        and d.business_id = ${here}
        and exists (select 1 from sends where business_id = ${businessId} and id = ${id} and status = 'SENDING')
      returning d.subscription_id, d.status
    )
    select a.subscription_id as id, coalesce(m.status, case
      when exists (select 1 from sends where business_id = ${businessId} and id = ${id} and status = 'SENDING')
      then 'LEASE_LOST' else 'CANCELLED' end) as permission
    from requested a left join marked m on m.subscription_id = a.subscription_id`;
  return new Map(rows.map((row) => [row.id, row.permission]));
}

/** Marks subscriptions whose addresses do not exist, and suppresses those addresses. Idempotent. */
export async function writeBounces(
  tx: Tx,
  { businessId, id }: SendKey,
  subscriptionIds: readonly string[],
  nowSeconds: number,
  source: EventSource,
): Promise<void> {
  await tx`
    with bounced as (
      update subscriptions set status = 'BOUNCED', version = version + 1, updated_at = ${nowSeconds}
      where business_id = ${businessId} and id = any (${subscriptionIds as string[]}) and status = 'ACTIVE'
      returning *
    ), suppressed as (
      insert into suppressions as x (business_id, id, email, email_key, reason, created_at)
      select distinct on (email_key) business_id, 'sup_' || substr(id, 5), email, email_key, 'BOUNCE', ${nowSeconds}::bigint
      from bounced
      on conflict (business_id, email_key) do update set reason = 'BOUNCE', created_at = excluded.created_at, removed_at = null
      where x.removed_at is not null
    ), changes as (${insertChanges(tx, 'bounced', 'LEFT', nowSeconds)}), marked as (
      update deliveries set feedback = 'BOUNCED'
      where business_id = ${businessId} and send_id = ${id} and subscription_id = any (${subscriptionIds as string[]})
    )
    ${source.eventsFrom(tx, subscriptionEvents(tx, 'subscription.bounced', 'bounced'))}`;
}

/** The permissions of attempts that are already marked, by subscription. */
export async function listMarked(
  db: Db,
  { businessId, id }: SendKey,
  attempts: readonly Attempt[],
): Promise<Map<string, Permission>> {
  const rows = await db<{ id: string; permission: Permission }[]>`
    select d.subscription_id as id, d.status as permission
    from unnest(
      ${attempts.map(({ subscriptionId }) => subscriptionId)}::text[], ${attempts.map(({ epoch }) => epoch)}::int[],
      ${attempts.map(({ number }) => number)}::int[]
    ) as a (subscription_id, epoch, number)
    join deliveries d on d.business_id = ${businessId} and d.send_id = ${id}
      and d.subscription_id = a.subscription_id and d.epoch = a.epoch
    where (d.status = 'ATTEMPTING' and d.attempts = a.number) or (d.status = 'SKIPPED' and d.attempts = a.number - 1)`;
  return new Map(rows.map((row) => [row.id, row.permission]));
}
