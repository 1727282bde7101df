import type { Db, Statement, Tx } from '../db/sql.ts';

export type NewTask = {
  businessId: string;
  id: string;
  queue: string;
  data: object;
  key: string | null;
  cause: string | null;
  dueAt: number;
};

/**
 * `attempts` includes this one. A worker that has lost its lease writes nothing, because the next attempt has another
 * number.
 */
export type ClaimedTask = {
  businessId: string;
  id: string;
  data: object;
  attempts: number;
  hasCause: boolean;
  /** How many times in a row the process died during this task. */
  interruptions: number;
};

/** Inserts nothing if a task with the same key is waiting, or one with the same cause is stored. */
export const insertTask = (
  tx: Tx,
  { businessId, id, queue, data, key, cause, dueAt }: NewTask,
): Statement<object[]> => tx`
  insert into tasks (business_id, id, queue, data, key, cause, due_at)
  values (${businessId}, ${id}, ${queue}, ${tx.json(data)}, ${key}, ${cause}, ${dueAt})
  on conflict do nothing`;

/** Leases up to `limit` due tasks of a business, most overdue first. Skips tasks that another worker is claiming. */
export const claimTasks = (
  tx: Tx,
  { businessId, queue }: { businessId: string; queue: string },
  { now, leaseUntil, limit }: { now: number; leaseUntil: number; limit: number },
) => tx<ClaimedTask[]>`
  update tasks set due_at = ${leaseUntil}, running = true, attempts = attempts + 1, key = null,
    interruptions = interruptions + running::int
  where business_id = ${businessId} and id = any(array(
    select id from tasks where business_id = ${businessId} and queue = ${queue} and due_at <= ${now}
    order by due_at, id limit ${limit} for update skip locked))
  returning business_id, id, data, attempts, cause is not null as has_cause, interruptions`;

type Attempt = Pick<ClaimedTask, 'id' | 'attempts'>;

const attemptsOf = (tx: Tx, tasks: readonly Attempt[]) => tx`
  unnest(${tasks.map(({ id }) => id)}::text[], ${tasks.map(({ attempts }) => attempts)}::int[]) as a (id, attempts)`;

export const renewLeases = (tx: Tx, businessId: string, tasks: readonly Attempt[], leaseUntil: number) => tx`
  update tasks t set due_at = ${leaseUntil} from ${attemptsOf(tx, tasks)}
  where t.business_id = ${businessId} and t.id = a.id and t.attempts = a.attempts and t.running`;

export const deleteTasks = (tx: Tx, businessId: string, tasks: readonly Attempt[]) => tx`
  delete from tasks t using ${attemptsOf(tx, tasks)}
  where t.business_id = ${businessId} and t.id = a.id and t.attempts = a.attempts`;

/** Keeps the row without its data, so that the same cause does not create a second task. */
export const endTasks = (tx: Tx, businessId: string, tasks: readonly Attempt[], expiresAt: number) => tx`
  update tasks t set due_at = null, running = false, data = '{}', error = null, expires_at = ${expiresAt}
  from ${attemptsOf(tx, tasks)}
  where t.business_id = ${businessId} and t.id = a.id and t.attempts = a.attempts`;

/** Releases the leases without counting the attempt. */
export const releaseTasks = (tx: Tx, businessId: string, tasks: readonly Attempt[], dueAt: number) => tx`
  update tasks t set due_at = ${dueAt}, running = false, attempts = t.attempts - 1 from ${attemptsOf(tx, tasks)}
  where t.business_id = ${businessId} and t.id = a.id and t.attempts = a.attempts`;

export const retryTask = (
  tx: Tx,
  { businessId, id, attempts }: ClaimedTask,
  { error, dueAt }: { error: string; dueAt: number },
) => tx`
  update tasks set due_at = ${dueAt}, running = false, interruptions = 0, error = ${error}
  where business_id = ${businessId} and id = ${id} and attempts = ${attempts}`;

export const markDead = (
  tx: Tx,
  { businessId, id, attempts }: ClaimedTask,
  { error, expiresAt }: { error: string; expiresAt: number },
) => tx`
  update tasks set due_at = null, running = false, dead = true, cause = null, error = ${error}, expires_at = ${expiresAt}
  where business_id = ${businessId} and id = ${id} and attempts = ${attempts}`;

export const countTasks = (db: Db) => db<{ name: string; waiting: number; active: number; failed: number }[]>`
  select queue as name, count(*) filter (where due_at is not null and not running)::int as waiting,
    count(*) filter (where running)::int as active, count(*) filter (where dead)::int as failed
  from tasks group by queue`;

export const deleteExpiredTasks = (tx: Tx, now: number) => tx`delete from tasks where expires_at <= ${now}`;
