import type { Db, Tx } from '../../../db/sql.ts';
import type { AutomationKey } from './queries.ts';
import type { PersonRow } from './run-queries.ts';

type PeoplePage = { status: string | undefined; before: readonly [number, string, string] | null; limit: number };

/** Newest first. */
export const listPeople = (db: Db, { businessId, id }: AutomationKey, { status, before, limit }: PeoplePage) => db<
  PersonRow[]
>`
  select subscription_id, occurrence, email, status, reason, step_id, due_at, entered_at, updated_at from automation_runs
  where business_id = ${businessId} and automation_id = ${id} ${status === undefined ? db`` : db`and status = ${status}`}
    ${
      before === null
        ? db``
        : db`and (entered_at, subscription_id, occurrence) < (${before[0]}::bigint, ${before[1]}::text, ${before[2]}::text)`
    }
  order by entered_at desc, subscription_id desc, occurrence desc limit ${limit}`;

export async function findActiveRun(
  db: Db,
  { businessId, id }: AutomationKey,
  subscriptionId: string,
): Promise<PersonRow | null> {
  const [row] = await db<PersonRow[]>`
    select subscription_id, occurrence, email, status, reason, step_id, due_at, entered_at, updated_at from automation_runs
    where business_id = ${businessId} and automation_id = ${id} and subscription_id = ${subscriptionId}
    order by (status = 'ACTIVE') desc, entered_at desc limit 1 for update`;
  return row ?? null;
}

/** Ends one run. It must be locked. */
export async function stopRun(
  tx: Tx,
  { businessId, id }: AutomationKey,
  row: PersonRow,
  nowSeconds: number,
): Promise<void> {
  await tx`
    with stopped as (
      update automation_runs set status = 'EXITED', reason = 'STOPPED', step_id = null, due_at = null, updated_at = ${nowSeconds}
      where business_id = ${businessId} and automation_id = ${id} and subscription_id = ${row.subscriptionId}
        and occurrence = ${row.occurrence}
      returning send_ids
    )
    update deliveries d set status = 'SKIPPED', error = 'CANCELLED', updated_at = ${nowSeconds}
    from stopped
    where d.business_id = ${businessId} and d.send_id = any(stopped.send_ids) and d.subscription_id = ${row.subscriptionId}
      and d.status = 'PENDING'`;
}

type StepCount = { stepId: string; waiting: number; done: number; exited: number; sent: number; failed: number };

/** Counts by step. Completed runs count as done in the step ''. Emails of running sends are counted when their batch is released. */
export const countSteps = (db: Db, { businessId, id }: AutomationKey) => db<StepCount[]>`
  select step_id, sum(waiting)::int as waiting, sum(done)::int as done, sum(exited)::int as exited, sum(sent)::int as sent,
    sum(failed)::int as failed
  from (
    select step_id, count(*) as waiting, 0 as done, 0 as exited, 0 as sent, 0 as failed from automation_runs
    where business_id = ${businessId} and automation_id = ${id} and status = 'ACTIVE' group by step_id
    union all
    select step_id, 0, done, exited, 0, 0 from automation_counts where business_id = ${businessId} and automation_id = ${id}
    union all
    select s.step_id, 0, 0, 0, sum(b.sent), sum(b.failed) from sends s
    join delivery_batches b on b.business_id = ${businessId} and b.send_id = s.id
    where s.business_id = ${businessId} and s.automation_id = ${id} group by s.step_id
  ) c group by step_id`;

/** Deletes up to `limit` runs of a deleted automation, and finally the automation. Returns true if there may be more runs. */
export async function deleteRuns(tx: Tx, { businessId, id }: AutomationKey, limit: number): Promise<boolean> {
  const runs = await tx`
    delete from automation_runs where business_id = ${businessId} and automation_id = ${id}
      and (subscription_id, occurrence) in (
        select subscription_id, occurrence from automation_runs
        where business_id = ${businessId} and automation_id = ${id} limit ${limit})
    returning 1`;
  if (runs.length === limit) return true;
  await tx`
    delete from automations where business_id = ${businessId} and id = ${id} and deleted_at is not null`;
  return false;
}
