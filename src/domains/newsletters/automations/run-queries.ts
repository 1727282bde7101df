import type { Db, Tx } from '../../../db/sql.ts';
import { isSuppressed } from '../suppressions/queries.ts';
import type { AutomationKey, AutomationRow } from './queries.ts';
import type { Step } from './steps.ts';

export const RUN_STATUSES = ['ACTIVE', 'COMPLETED', 'EXITED'] as const;
export const RUN_REASONS = ['CONDITION', 'UNSUBSCRIBED', 'SUPPRESSED', 'ORDERED', 'STOPPED'] as const;
type RunStatus = (typeof RUN_STATUSES)[number];
export type RunReason = (typeof RUN_REASONS)[number];

/** A person who may enter, identified by subscription or email. */
export type Candidate = { subscriptionId: string | null; emailKey: string | null; occurrence: string };

/**
 * Enrolls active subscribers who are not suppressed. Leaves out those who are in the automation or have entered for the
 * same occurrence. Returns how many entered.
 */
export async function insertRuns(
  tx: Tx,
  { businessId, id, collectionId }: AutomationRow,
  first: Step,
  candidates: readonly Candidate[],
  nowSeconds: number,
): Promise<number> {
  const rows = await tx`
    insert into automation_runs (business_id, automation_id, subscription_id, occurrence, email, email_key, step_id, due_at,
      entered_at, updated_at)
    select distinct on (s.id) ${businessId}, ${id}, s.id, c.occurrence, s.email, s.email_key, ${first.id},
      ${nowSeconds + first.delaySeconds}::bigint, ${nowSeconds}::bigint, ${nowSeconds}::bigint
    from unnest(
      ${candidates.map((each) => each.subscriptionId)}::text[], ${candidates.map((each) => each.emailKey)}::text[],
      ${candidates.map((each) => each.occurrence)}::text[]
    ) as c (subscription_id, email_key, occurrence)
    join subscriptions s on s.business_id = ${businessId} and s.id = coalesce(c.subscription_id, (
      select e.id from subscriptions e
      where e.business_id = ${businessId} and e.collection_id = ${collectionId} and e.email_key = c.email_key))
    where s.collection_id = ${collectionId} and s.status = 'ACTIVE' and not ${isSuppressed(tx, 's')}
    order by s.id, c.occurrence
    on conflict do nothing returning 1`;
  return rows.length;
}

/** The next steps of up to `limit` due runs, except the steps in `except`. */
export async function listDueSteps(
  db: Db,
  { businessId, id }: AutomationKey,
  { except, nowSeconds, limit }: { except: readonly string[]; nowSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await db<{ stepId: string }[]>`
    select distinct step_id from (
      select step_id from automation_runs
      where business_id = ${businessId} and automation_id = ${id} and status = 'ACTIVE' and due_at <= ${nowSeconds}
        and step_id <> all(${except as string[]})
      order by due_at limit ${limit}) r`;
  return rows.map(({ stepId }) => stepId);
}

export type DueRun = {
  subscriptionId: string;
  occurrence: string;
  stepId: string;
  done: string[];
  /** Null if the subscription was deleted. */
  subscriptionStatus: string | null;
  isSuppressed: boolean;
};

/**
 * Locks due runs at these steps, most overdue first. Skips runs that another worker has locked. Citus can lock rows of only one table per
 * query.
 */
export async function lockDueRuns(
  tx: Tx,
  { businessId, id }: AutomationKey,
  { stepIds, nowSeconds, limit }: { stepIds: readonly string[]; nowSeconds: number; limit: number },
): Promise<DueRun[]> {
  const runs = await tx<(Omit<DueRun, 'subscriptionStatus' | 'isSuppressed'> & { emailKey: string })[]>`
    select subscription_id, occurrence, step_id, done, email_key from automation_runs
    where business_id = ${businessId} and automation_id = ${id} and status = 'ACTIVE' and due_at <= ${nowSeconds}
      and step_id = any(${stepIds as string[]})
    order by due_at, subscription_id limit ${limit}
    for update skip locked`;
  if (runs.length === 0) return [];
  const [subscriptions, suppressed] = await Promise.all([
    tx<{ id: string; status: string }[]>`
      select id, status from subscriptions
      where business_id = ${businessId} and id = any(${runs.map(({ subscriptionId }) => subscriptionId)})`,
    tx<{ emailKey: string }[]>`
      select email_key from suppressions
      where business_id = ${businessId} and email_key = any(${runs.map(({ emailKey }) => emailKey)}) and removed_at is null`,
  ]);
  const statuses = new Map(subscriptions.map((each) => [each.id, each.status]));
  const keys = new Set(suppressed.map(({ emailKey }) => emailKey));
  return runs.map(({ emailKey, ...run }) => ({
    ...run,
    subscriptionStatus: statuses.get(run.subscriptionId) ?? null,
    isSuppressed: keys.has(emailKey),
  }));
}

/** `stepId` and `dueAt` are null at the end. */
export type RunChange = {
  run: Pick<DueRun, 'subscriptionId' | 'occurrence' | 'stepId'>;
  status: RunStatus;
  reason: RunReason | null;
  stepId: string | null;
  dueAt: number | null;
  sendId: string | null;
};

/** The runs must be locked. A run that exited at a step has not passed it. */
export async function updateRuns(
  tx: Tx,
  { businessId, id }: AutomationKey,
  changes: readonly RunChange[],
  nowSeconds: number,
): Promise<void> {
  await tx`
    update automation_runs r set status = c.status, reason = c.reason, step_id = c.step_id, due_at = c.due_at,
      done = case when c.status = 'EXITED' then r.done else array_append(r.done, c.passed) end,
      send_ids = case when c.send_id is null then r.send_ids else array_append(r.send_ids, c.send_id) end,
      updated_at = ${nowSeconds}
    from unnest(
      ${changes.map(({ run }) => run.subscriptionId)}::text[], ${changes.map(({ run }) => run.occurrence)}::text[],
      ${changes.map(({ run }) => run.stepId)}::text[], ${changes.map(({ status }) => status)}::text[],
      ${changes.map(({ reason }) => reason)}::text[], ${changes.map(({ stepId }) => stepId)}::text[],
      ${changes.map(({ dueAt }) => dueAt)}::bigint[], ${changes.map(({ sendId }) => sendId)}::text[]
    ) as c (subscription_id, occurrence, passed, status, reason, step_id, due_at, send_id)
    where r.business_id = ${businessId} and r.automation_id = ${id} and r.subscription_id = c.subscription_id
      and r.occurrence = c.occurrence`;
}

type CountChange = { automationId: string; stepId: string; done: number; exited: number };

/** Call it last: workers of the same automation wait for these rows. */
export async function addCounts(tx: Tx, businessId: string, changes: readonly CountChange[]): Promise<void> {
  if (changes.length === 0) return;
  const sorted = changes.toSorted((a, b) =>
    `${a.automationId} ${a.stepId}` < `${b.automationId} ${b.stepId}` ? -1 : 1,
  );
  await tx`
    insert into automation_counts as a (business_id, automation_id, step_id, done, exited)
    select ${businessId}, * from unnest(
      ${sorted.map(({ automationId }) => automationId)}::text[], ${sorted.map(({ stepId }) => stepId)}::text[],
      ${sorted.map(({ done }) => done)}::bigint[], ${sorted.map(({ exited }) => exited)}::bigint[])
    on conflict (business_id, automation_id, step_id) do update set done = a.done + excluded.done, exited = a.exited + excluded.exited`;
}

/** People waiting for a removed step continue with `to`, or are done. */
export async function moveRuns(
  tx: Tx,
  { businessId, id }: AutomationKey,
  from: string,
  to: Step | null,
  nowSeconds: number,
): Promise<number> {
  const rows = await tx`
    update automation_runs set step_id = ${to?.id ?? null}, due_at = case when ${to === null} then null else due_at end,
      status = case when ${to === null} then 'COMPLETED' else 'ACTIVE' end, updated_at = ${nowSeconds}
    where business_id = ${businessId} and automation_id = ${id} and status = 'ACTIVE' and step_id = ${from}
    returning 1`;
  return rows.length;
}

/** People by subscription, or by email and, if given, by the occurrence that they entered for. */
export type Leaving =
  | { subscriptionIds: readonly string[] }
  | { emailKeys: readonly string[]; occurrences?: readonly string[] };

/** Ends the active runs of these people. Returns where they were. */
export const exitRuns = (tx: Tx, businessId: string, leaving: Leaving, reason: RunReason, nowSeconds: number) => tx<
  { automationId: string; stepId: string }[]
>`
  with leaving as (
    select automation_id, subscription_id, occurrence, step_id from automation_runs
    where business_id = ${businessId} and status = 'ACTIVE' and ${isLeaving(tx, leaving)}
    order by automation_id, subscription_id for update
  )
  update automation_runs r set status = 'EXITED', reason = ${reason}, step_id = null, due_at = null, updated_at = ${nowSeconds}
  from leaving l
  where r.business_id = ${businessId} and r.automation_id = l.automation_id and r.subscription_id = l.subscription_id
    and r.occurrence = l.occurrence
  returning r.automation_id, l.step_id`;

const isLeaving = (tx: Tx, leaving: Leaving) =>
  'subscriptionIds' in leaving
    ? tx`subscription_id = any(${leaving.subscriptionIds as string[]})`
    : tx`email_key = any(${leaving.emailKeys as string[]})
        ${leaving.occurrences ? tx`and occurrence = any(${leaving.occurrences as string[]})` : tx``}`;

export type PersonRow = {
  subscriptionId: string;
  occurrence: string;
  email: string;
  status: RunStatus;
  reason: RunReason | null;
  stepId: string | null;
  dueAt: number | null;
  enteredAt: number;
  updatedAt: number;
};
