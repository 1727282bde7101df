import type { Pool } from '../../db/connection.ts';
import type { SendKey } from './send-queries.ts';

/** One delivery on its way: whose it is, and the epoch of the batch that it was claimed with. */
export type Ticket = { subscriptionId: string; epoch: number };

export type Outcome = {
  ticket: Ticket;
  status: 'SENT' | 'FAILED' | 'PENDING' | 'UNKNOWN';
  error: string | null;
  /** When a PENDING or UNKNOWN one may be tried again. */
  dueAt: number;
  /** The address does not exist. */
  bounced: boolean;
};

/**
 * ATTEMPTING: it is written down that the message may leave now. SKIPPED: the subscriber has gone. STOPPED: the send was
 * cancelled. LOST: the lease ran out and another worker has the batch.
 */
export type Leave = 'ATTEMPTING' | 'SKIPPED' | 'STOPPED' | 'LOST';

/**
 * One statement is one transaction; it commits before it returns. Business and send come as columns beside the ids: only so
 * the plan is a look at the primary key for each of them, whatever the statistics say about a table that has just been filled.
 */
export async function writeTurns(
  pool: Pool,
  { businessId, id }: SendKey,
  turns: readonly { outcome: Outcome | null; next: Ticket | null }[],
  nowSeconds: number,
): Promise<Map<string, Leave>> {
  const outcomes = turns.flatMap(({ outcome }) => (outcome ? [outcome] : []));
  const next = turns.flatMap((turn) => (turn.next ? [turn.next] : []));
  const bounced = outcomes.filter((outcome) => outcome.bounced).map(({ ticket }) => ticket.subscriptionId);
  const rows = await pool<{ id: string; leave: Leave }[]>`
    with settled as (
      update deliveries d
      set status = o.status, error = o.error, due_at = o.due_at, updated_at = ${nowSeconds}
      from unnest(
        ${outcomes.map(() => businessId)}::text[], ${outcomes.map(() => id)}::text[],
        ${outcomes.map(({ ticket }) => ticket.subscriptionId)}::text[], ${outcomes.map(({ ticket }) => ticket.epoch)}::int[],
        ${outcomes.map(({ status }) => status)}::text[], ${outcomes.map(({ error }) => error)}::text[],
        ${outcomes.map(({ dueAt }) => dueAt)}::bigint[]
      ) as o (business_id, send_id, subscription_id, epoch, status, error, due_at)
      where d.business_id = o.business_id and d.send_id = o.send_id and d.subscription_id = o.subscription_id
        and d.epoch = o.epoch and d.status = 'ATTEMPTING'
    ), bounced as (
      update subscriptions set status = 'BOUNCED', updated_at = ${nowSeconds}
      where business_id = ${businessId} and id = any (${bounced}) and status = 'ACTIVE'
    ), asked as (
      select * from unnest(
        ${next.map(() => businessId)}::text[], ${next.map(() => id)}::text[],
        ${next.map(({ subscriptionId }) => subscriptionId)}::text[], ${next.map(({ epoch }) => epoch)}::int[]
      ) as a (business_id, send_id, subscription_id, epoch)
    ), begun as (
      update deliveries d
      set status = case when s.status = 'ACTIVE' then 'ATTEMPTING' else 'SKIPPED' end,
        attempts = d.attempts + (s.status is not distinct from 'ACTIVE')::int, updated_at = ${nowSeconds}
      from asked a left join subscriptions s on s.business_id = a.business_id and s.id = a.subscription_id
      where d.business_id = a.business_id and d.send_id = a.send_id and d.subscription_id = a.subscription_id
        and d.epoch = a.epoch and d.status in ('PENDING', 'UNKNOWN')
        and exists (select 1 from sends where business_id = ${businessId} and id = ${id} and status = 'SENDING')
      returning d.subscription_id, d.status
    )
    select a.subscription_id as id, coalesce(b.status, case
      when exists (select 1 from sends where business_id = ${businessId} and id = ${id} and status = 'SENDING') then 'LOST'
      else 'STOPPED' end) as leave
    from asked a left join begun b on b.subscription_id = a.subscription_id`;
  return new Map(rows.map((row) => [row.id, row.leave]));
}
