import type { Db, Tx } from '../../../../db/sql.ts';
import { MAX_INTERRUPTIONS } from '../../../../jobs/index.ts';
import type { MailContent } from '../../rendering/compose-mail.ts';
import type { OnUnknown, SendKey, SendRow } from '../send-queries.ts';

export const BATCH_SIZE = 200;

/**
 * A message that was interrupted twice is tried again at a random time within these seconds, so that the messages that were in flight
 * together don't fail together.
 */
const APART_SECONDS = 10;
const INTERRUPTED = `The service stopped ${MAX_INTERRUPTIONS} times while it sent this email.`;

/**
 * A range of deliveries leased by a worker. `epoch` is a fencing token that increases when the lease expires and another worker
 * takes over.
 */
export type Batch = { number: number; firstId: string; lastId: string; epoch: number };

/** `variant` is the number of a version of an experiment. */
export type Due = { subscriptionId: string; email: string; name: string; attempts: number; variant: number | null };

/** A send that may have an experiment. Until it ends, only the test group is due. */
type WithExperiment = SendKey & Pick<SendRow, 'experiment'>;

/** Marks the send as running, with its content. All deliveries must have been inserted. */
export async function markFrozen(
  tx: Tx,
  send: SendRow,
  { content, recipients }: { content: MailContent; recipients: number },
  nowSeconds: number,
): Promise<void> {
  await tx`
    update sends set status = 'SENDING', frozen = true, content = ${send.contentId === null ? tx.json(content as never) : null},
      tracking = ${content.tracking ? tx.json(content.tracking) : null},
      decides_at = ${send.experiment ? nowSeconds + send.experiment.after : null}::bigint,
      on_unknown = ${send.onUnknown}, started_at = coalesce(started_at, ${nowSeconds}), recipients = ${recipients}
    where business_id = ${send.businessId} and id = ${send.id} and not frozen`;
}

/** The time zones of the subscribers to a newsletter. */
export async function listTimeZones(db: Db, { businessId, collectionId }: SendRow): Promise<string[]> {
  const rows = await db<{ timeZone: string }[]>`
    select distinct time_zone from subscriptions
    where business_id = ${businessId} and collection_id = ${collectionId} and status = 'ACTIVE' and time_zone is not null`;
  return rows.map(({ timeZone }) => timeZone);
}

/**
 * Updates planner statistics after a large insert. Otherwise, statements prepared while the tables were small would keep using
 * sequential scans until the next autoanalyze.
 */
export async function refreshStatistics(tx: Tx): Promise<void> {
  await tx`analyze deliveries, delivery_batches, subscriptions`;
}

/**
 * Leases the first due batch that is not leased or whose lease has expired. In the latter case, the outcome of the previous worker's
 * current messages is unknown. Leases use the database clock, which is the same for all workers. Returns null if there is no batch.
 */
export async function claimBatch(
  tx: Tx,
  { businessId, id }: SendKey,
  owner: string,
  leaseSeconds: number,
  nowSeconds: number,
): Promise<Batch | null> {
  const [batch] = await tx<(Batch & { takenOver: boolean })[]>`
    with next as (
      select number, owner is not null as taken_over from delivery_batches
      where business_id = ${businessId} and send_id = ${id} and not done and due_at <= ${nowSeconds}
        and (owner is null or lease_until < statement_timestamp())
      order by number limit 1
      for update skip locked
    )
    update delivery_batches b
    set owner = ${owner}, lease_until = statement_timestamp() + ${leaseSeconds} * interval '1 second',
      epoch = b.epoch + next.taken_over::int
    from next
    where b.business_id = ${businessId} and b.send_id = ${id} and b.number = next.number
    returning b.number, b.first_id, b.last_id, b.epoch, next.taken_over`;
  if (batch?.takenOver) {
    await tx`
      update deliveries set epoch = ${batch.epoch}, updated_at = ${nowSeconds},
        due_at = case when status <> 'ATTEMPTING' then due_at when interruptions = 0 then 0
          else ${nowSeconds} + floor(random() * ${APART_SECONDS})::int end,
        error = case when status = 'ATTEMPTING' and interruptions >= ${MAX_INTERRUPTIONS - 1} then ${INTERRUPTED} else error end,
        interruptions = interruptions + (status = 'ATTEMPTING')::int,
        status = case when status <> 'ATTEMPTING' then status when interruptions >= ${MAX_INTERRUPTIONS - 1} then 'FAILED'
          else 'UNKNOWN' end
      where business_id = ${businessId} and send_id = ${id}
        and subscription_id between ${batch.firstId} and ${batch.lastId}
        and status in ('PENDING', 'ATTEMPTING', 'UNKNOWN')`;
  }
  return batch ?? null;
}

/** The deliveries of the batch that can be sent now. Until an experiment is decided, these are the ones in the test group. */
export function listDue(db: Db, send: WithExperiment, batch: Batch, onUnknown: OnUnknown, nowSeconds: number) {
  const { businessId, id, experiment } = send;
  const version = db`coalesce(variant, (select winner from sends where business_id = ${businessId} and id = ${id}))`;
  return db<Due[]>`
    select subscription_id, email, name, attempts, ${experiment ? version : db`variant`} as variant from deliveries
    where business_id = ${businessId} and send_id = ${id}
      and subscription_id between ${batch.firstId} and ${batch.lastId}
      and (status = 'PENDING' or (status = 'UNKNOWN' and ${onUnknown} = 'RETRY')) and due_at <= ${nowSeconds}
      ${experiment ? db`and ${version} is not null` : db``}
    order by subscription_id`;
}

/** Extends the leases of this worker. */
export async function renewLeases(
  tx: Tx,
  { businessId, id }: SendKey,
  owner: string,
  numbers: readonly number[],
  leaseSeconds: number,
): Promise<void> {
  await tx`
    update delivery_batches set lease_until = statement_timestamp() + ${leaseSeconds} * interval '1 second'
    where business_id = ${businessId} and send_id = ${id} and number = any (${numbers as number[]}) and owner = ${owner}`;
}

/**
 * Ends the lease and counts the outcomes. A batch with waiting deliveries becomes due with the first of them or, outside the test group,
 * when the experiment is decided. Because of the lock, either this function sees a winner chosen in the meantime, or the choice sees this
 * batch.
 */
export async function releaseBatch(
  tx: Tx,
  { businessId, id, experiment }: WithExperiment,
  batch: Batch,
  owner: string,
  onUnknown: OnUnknown,
  notBefore: number,
): Promise<void> {
  await tx`
    update delivery_batches b
    set owner = null, lease_until = null, sent = c.sent, failed = c.failed, skipped = c.skipped, unknown = c.unknown,
      done = c.waiting = 0, due_at = greatest(coalesce(c.due_at, 0), ${notBefore})
    from (
      select count(*) filter (where status = 'SENT') as sent, count(*) filter (where status = 'FAILED') as failed,
        count(*) filter (where status = 'SKIPPED') as skipped, count(*) filter (where status = 'UNKNOWN') as unknown,
        count(*) filter (where waits) as waiting, min(due_at) filter (where waits) as due_at
      from (
        select status, ${experiment ? tx`case when variant is null then greatest(due_at, w.decides_at) else due_at end as due_at` : tx`due_at`},
          status in ('PENDING', 'ATTEMPTING') or (status = 'UNKNOWN' and ${onUnknown} = 'RETRY') as waits
        from deliveries ${
          experiment
            ? tx`cross join (
          select case when winner is null then decides_at else 0 end as decides_at from sends
          where business_id = ${businessId} and id = ${id} for share) w`
            : tx``
        }
        where business_id = ${businessId} and send_id = ${id}
          and subscription_id between ${batch.firstId} and ${batch.lastId}
      ) d
    ) c
    where b.business_id = ${businessId} and b.send_id = ${id} and b.number = ${batch.number}
      and b.owner = ${owner} and b.epoch = ${batch.epoch}`;
}

/** Skips the unsent deliveries of a canceled send. */
export async function skipBatch(tx: Tx, { businessId, id }: SendKey, batch: Batch, nowSeconds: number): Promise<void> {
  await tx`
    update deliveries set status = 'SKIPPED', error = 'CANCELLED', updated_at = ${nowSeconds}
    where business_id = ${businessId} and send_id = ${id}
      and subscription_id between ${batch.firstId} and ${batch.lastId} and status = 'PENDING'`;
}

/**
 * Completes the send if every delivery has an outcome. Returns SENT if this call completed it, OVER if it was already complete or canceled.
 */
export async function completeSend(
  tx: Tx,
  { businessId, id }: SendKey,
  nowSeconds: number,
): Promise<'SENT' | 'OVER' | 'OPEN'> {
  const [completed] = await tx<{ status: string }[]>`
    update sends s
    set status = case when s.status = 'SENDING' then 'SENT' else s.status end, open = false, completed_at = ${nowSeconds},
      sent = c.sent, failed = c.failed, skipped = c.skipped, unknown = c.unknown
    from (
      select coalesce(bool_and(done), true) as done, coalesce(sum(sent), 0)::int as sent,
        coalesce(sum(failed), 0)::int as failed, coalesce(sum(skipped), 0)::int as skipped,
        coalesce(sum(unknown), 0)::int as unknown
      from delivery_batches where business_id = ${businessId} and send_id = ${id}
    ) c
    where s.business_id = ${businessId} and s.id = ${id} and s.open and s.frozen and c.done
      and s.recipients = c.sent + c.failed + c.skipped + c.unknown
    returning s.status`;
  if (completed?.status === 'SENT') return 'SENT';
  const [row] = await tx<{ open: boolean }[]>`
    select open from sends where business_id = ${businessId} and id = ${id}`;
  return row?.open ? 'OPEN' : 'OVER';
}

/** Whether a batch can be claimed now. */
export async function hasDueBatch(db: Db, { businessId, id }: SendKey, nowSeconds: number): Promise<boolean> {
  const rows = await db`
    select from delivery_batches
    where business_id = ${businessId} and send_id = ${id} and not done and due_at <= ${nowSeconds}
      and (owner is null or lease_until < statement_timestamp())
    limit 1`;
  return rows.length > 0;
}
