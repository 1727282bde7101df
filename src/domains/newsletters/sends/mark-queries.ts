import type { EventSource } from '../../../context/index.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { subscriptionEvents } from '../subscriptions/queries.ts';
import type { SendKey } from './send-queries.ts';

/** One try to send a delivery: the first, second, …; `epoch` is that of the batch that it was claimed with. */
export type Attempt = { subscriptionId: string; epoch: number; number: number };

export type Outcome = {
  attempt: Attempt;
  status: 'SENT' | 'FAILED' | 'PENDING' | 'UNKNOWN';
  error: string | null;
  /** When a PENDING or UNKNOWN one may be tried again. */
  dueAt: number;
  /** The address does not exist. */
  isBounce: boolean;
};

/**
 * ATTEMPTING: the delivery is marked, the message may be sent now. SKIPPED: the subscription is no longer ACTIVE. CANCELLED:
 * the send was cancelled. LEASE_LOST: the lease has expired and another worker has the batch.
 */
export type Permission = 'ATTEMPTING' | 'SKIPPED' | 'CANCELLED' | 'LEASE_LOST';

/** What a connection writes between two messages: the outcome of the last and the mark of the next. */
export type Mark = { outcome: Outcome | null; next: Attempt | null };

/**
 * Records outcomes and marks the next attempts, in one statement. Answers whether each attempt is permitted, by subscription.
 *
 * It may be repeated when the answer was lost: what is written already stays as it is, and `listMarked` tells the permissions
 * of the former try. A row changes only while its epoch and its number of attempts are those of the attempt, so a former try
 * that the database executes late changes nothing.
 *
 * Business and send come as columns beside the ids: only so the plan is a lookup of the primary key for each of them, whatever
 * the statistics say about a table that has just been filled. That they are all of this business is said once more, as a list of
 * one, for a cluster that looks for the node: as an equation the planner would put it in place of the columns.
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
    ), asked as (
      select a.*, (
        select status from subscriptions where business_id = ${businessId} and id = a.subscription_id
      ) as standing from unnest(
        ${next.map(() => businessId)}::text[], ${next.map(() => id)}::text[],
        ${next.map(({ subscriptionId }) => subscriptionId)}::text[], ${next.map(({ epoch }) => epoch)}::int[],
        ${next.map(({ number }) => number)}::int[]
      ) as a (business_id, send_id, subscription_id, epoch, number)
    ), marked as (
      update deliveries d
      set status = case when a.standing = 'ACTIVE' then 'ATTEMPTING' else 'SKIPPED' end,
        attempts = d.attempts + (a.standing is not distinct from 'ACTIVE')::int, updated_at = ${nowSeconds}
      from asked a
      where d.business_id = a.business_id and d.send_id = a.send_id and d.subscription_id = a.subscription_id
        and d.epoch = a.epoch and d.attempts = a.number - 1 and d.status in ('PENDING', 'UNKNOWN')
        and d.business_id = ${here}
        and exists (select 1 from sends where business_id = ${businessId} and id = ${id} and status = 'SENDING')
      returning d.subscription_id, d.status
    )
    select a.subscription_id as id, coalesce(m.status, case
      when exists (select 1 from sends where business_id = ${businessId} and id = ${id} and status = 'SENDING')
      then 'LEASE_LOST' else 'CANCELLED' end) as permission
    from asked a left join marked m on m.subscription_id = a.subscription_id`;
  return new Map(rows.map((row) => [row.id, row.permission]));
}

/** The subscriptions whose addresses do not exist get no more mail. May be repeated. */
export async function writeBounces(
  tx: Tx,
  businessId: string,
  subscriptionIds: readonly string[],
  nowSeconds: number,
  source: EventSource,
): Promise<void> {
  await tx`
    with bounced as (
      update subscriptions set status = 'BOUNCED', version = version + 1, updated_at = ${nowSeconds}
      where business_id = ${businessId} and id = any (${subscriptionIds as string[]}) and status = 'ACTIVE'
      returning *
    )
    ${source.eventsFrom(tx, subscriptionEvents(tx, 'subscription.bounced', 'bounced'))}`;
}

/** Those of `attempts` that are marked, by subscription. */
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
