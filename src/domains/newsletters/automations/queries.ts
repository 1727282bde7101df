import type { Db, Tx } from '../../../db/sql.ts';
import type { Step } from './steps.ts';
import type { Trigger, TriggerType } from './triggers.ts';

export type AutomationRow = {
  businessId: string;
  id: string;
  name: string;
  enabled: boolean;
  enabledAt: number;
  collectionId: string;
  trigger: Trigger;
  steps: Step[];
  version: number;
  createdAt: number;
  updatedAt: number;
};
export type AutomationKey = Pick<AutomationRow, 'businessId' | 'id'>;

const columns = (db: Db) => db`
  business_id, id, name, enabled, enabled_at, collection_id, trigger, steps, version, created_at, updated_at`;

export async function insertAutomation(tx: Tx, { trigger, steps, ...row }: AutomationRow): Promise<void> {
  const json = { trigger: tx.json(trigger as never), steps: tx.json(steps as never) };
  await tx`insert into automations ${tx({ ...row, ...json } as never)}`;
}

export async function updateAutomation(tx: Tx, row: AutomationRow): Promise<void> {
  await tx`
    update automations set name = ${row.name}, enabled = ${row.enabled}, enabled_at = ${row.enabledAt},
      collection_id = ${row.collectionId}, trigger = ${tx.json(row.trigger as never)}, steps = ${tx.json(row.steps as never)},
      version = version + 1, updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

export async function findAutomation(db: Db, businessId: string, id: string): Promise<AutomationRow | null> {
  const [row] = await db<AutomationRow[]>`
    select ${columns(db)} from automations where business_id = ${businessId} and id = ${id} and deleted_at is null`;
  return row ?? null;
}

export async function lockAutomation(tx: Tx, businessId: string, id: string): Promise<AutomationRow | null> {
  const [row] = await tx<AutomationRow[]>`
    select ${columns(tx)} from automations where business_id = ${businessId} and id = ${id} and deleted_at is null
    for no key update`;
  return row ?? null;
}

/** Nobody can edit, pause or delete the automation until the transaction ends. */
export async function protectAutomation(tx: Tx, { businessId, id }: AutomationKey): Promise<AutomationRow | null> {
  const [row] = await tx<AutomationRow[]>`
    select ${columns(tx)} from automations where business_id = ${businessId} and id = ${id} and deleted_at is null for share`;
  return row ?? null;
}

/** Sorted by ID, which is the lock order. */
export const listEnabled = (db: Db, businessId: string) => db<AutomationRow[]>`
  select ${columns(db)} from automations
  where business_id = ${businessId} and enabled and deleted_at is null order by id`;

/** The trigger types in use, and for each whether any automation with it is enabled. */
export const listTriggerTypes = (db: Db, businessId: string) => db<{ type: TriggerType; enabled: boolean }[]>`
  select trigger ->> 'type' as type, bool_or(enabled) as enabled from automations
  where business_id = ${businessId} and deleted_at is null group by 1`;

/** Newest first, each with the number of people in it. */
export const listAutomations = (db: Db, businessId: string, before: string | null, limit: number) => db<
  (AutomationRow & { active: number })[]
>`
  select ${columns(db)}, (
      select count(*) from automation_runs r
      where r.business_id = ${businessId} and r.automation_id = a.id and r.status = 'ACTIVE'
    ) as active
  from automations a
  where business_id = ${businessId} and deleted_at is null ${before === null ? db`` : db`and id < ${before}`}
  order by id desc limit ${limit}`;

export const listAutomationsForExport = (db: Db, businessId: string, after: string, limit: number) => db<
  AutomationRow[]
>`
  select ${columns(db)} from automations
  where business_id = ${businessId} and deleted_at is null and id > ${after} order by id limit ${limit}`;

export const lockAutomationsOf = (tx: Tx, businessId: string, collectionId: string) => tx<AutomationRow[]>`
  select ${columns(tx)} from automations
  where business_id = ${businessId} and collection_id = ${collectionId} and deleted_at is null order by id for update`;

export async function markDeleted(tx: Tx, { businessId, id }: AutomationKey, nowSeconds: number): Promise<void> {
  await tx`
    update automations set deleted_at = ${nowSeconds}, enabled = false where business_id = ${businessId} and id = ${id}`;
}

/** Whether an automation sends this entry. */
export async function isEntryUsed(db: Db, businessId: string, entryId: string): Promise<boolean> {
  const rows = await db`
    select from automations where business_id = ${businessId} and deleted_at is null
      and steps @> ${db.json([{ entryId }])}::jsonb limit 1`;
  return rows.length > 0;
}

/** Businesses with due steps. With `businessId`, only that one. */
export const listDueBusinesses = (db: Db, businessId: string | null, nowSeconds: number, limit: number) => db<
  { businessId: string }[]
>`
  select distinct business_id from automations
  where (case when enabled and deleted_at is null then due_at end) <= ${nowSeconds}
    ${businessId === null ? db`` : db`and business_id = ${businessId}`}
  limit ${limit}`;

/** Most overdue first. */
export const listDueAutomations = (db: Db, businessId: string, nowSeconds: number) => db<AutomationRow[]>`
  select ${columns(db)} from automations
  where business_id = ${businessId} and (case when enabled and deleted_at is null then due_at end) <= ${nowSeconds}
  order by due_at, id`;

/** Makes the automation due at `dueAt`, unless it is due earlier. Call it last: workers wait for this row. */
export async function bringForward(tx: Tx, { businessId, id }: AutomationKey, dueAt: number): Promise<void> {
  await tx`
    update automations set due_at = least(coalesce(due_at, ${dueAt}::bigint), ${dueAt}::bigint)
    where business_id = ${businessId} and id = ${id}`;
}

/** Sets the time of the next due step. The automation must be locked, so that no one enters at the same time. */
export async function updateDueTime(tx: Tx, { businessId, id }: AutomationKey): Promise<void> {
  await tx`
    update automations set due_at = (
      select min(due_at) from automation_runs
      where business_id = ${businessId} and automation_id = ${id} and status = 'ACTIVE')
    where business_id = ${businessId} and id = ${id}`;
}
