import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import { isId, newId, type PreviousIdentity } from '../../../shared/ids.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command, Query } from '../context.ts';
import { lockOpenSendsOfAutomation, markCancelled } from '../sends/send-queries.ts';
import { checkAutomation } from './check-automation.ts';
import {
  type AutomationRow,
  findAutomation,
  insertAutomation,
  listAutomations as listRows,
  lockAutomation,
  markDeleted,
  updateAutomation,
} from './queries.ts';
import { addCounts, moveRuns } from './run-queries.ts';
import { setScan } from './scan-dates.ts';
import {
  type Automation,
  type AutomationChange,
  type AutomationInput,
  automationOf,
  type ListedAutomation,
} from './schemas.ts';
import { movesAfter, toSteps } from './steps.ts';
import { toTrigger } from './triggers.ts';

export const CLEAR_AUTOMATION = 'automation-deletion';

export const createAutomation = (ctx: Command, input: AutomationInput): Promise<Automation> =>
  addAutomation(ctx, input);

/** Creates an automation with its original ID. It is paused, so that the import sends nothing. */
export async function importAutomation(
  ctx: Command,
  { input, kept }: { input: AutomationInput; kept: PreviousIdentity },
) {
  const id = kept.id !== undefined && isId('aut', kept.id) ? kept.id : newId('aut');
  if (await findAutomation(ctx.db, ctx.businessId, id)) return { result: 'UNCHANGED' as const, id };
  await addAutomation(ctx, { ...input, enabled: false }, { ...kept, id });
  return { result: 'CREATED' as const, id };
}

async function addAutomation(ctx: Command, input: AutomationInput, kept: PreviousIdentity = {}): Promise<Automation> {
  const { businessId, now } = ctx;
  const { name, enabled = false, trigger, steps = [] } = input;
  await checkAutomation(ctx, { enabled, trigger, steps });
  const row: AutomationRow = {
    businessId,
    id: kept.id ?? newId('aut'),
    name,
    enabled,
    enabledAt: now,
    collectionId: trigger.collectionId,
    trigger: toTrigger(trigger),
    steps: toSteps(steps),
    version: 1,
    createdAt: kept.createdAt ?? now,
    updatedAt: kept.updatedAt ?? now,
  };
  await insertAutomation(ctx.db, row);
  await setScan(ctx, row);
  const data = automationOf(row);
  ctx.emit({ type: 'automation.created', entity: `automation:${row.id}`, data });
  return data;
}

/** People in the automation continue with the new steps, from the step they are waiting for. */
export async function changeAutomation(
  ctx: Command,
  { id, change }: { id: string; change: AutomationChange },
): Promise<Versioned<Automation>> {
  const row = await lockAutomation(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Automation');
  ctx.checkVersion(row.version);
  const { name = row.name, enabled = row.enabled, trigger = row.trigger, steps = row.steps } = change;
  await checkAutomation(ctx, { enabled, trigger, steps });
  const changed: AutomationRow = {
    ...row,
    name,
    enabled,
    trigger: toTrigger(trigger),
    steps: toSteps(steps),
    collectionId: trigger.collectionId,
    enabledAt: enabled && !row.enabled ? ctx.now : row.enabledAt,
    updatedAt: ctx.now,
  };
  await moveFromRemoved(ctx, row, changed);
  await updateAutomation(ctx.db, changed);
  if (enabled !== row.enabled || change.trigger) await setScan(ctx, changed);
  const data = automationOf(changed);
  ctx.emit({ type: 'automation.updated', entity: `automation:${id}`, data, before: automationOf(row) });
  return { record: data, version: row.version + 1 };
}

async function moveFromRemoved({ db: tx, businessId, now }: Command, before: AutomationRow, after: AutomationRow) {
  for (const [stepId, next] of movesAfter(before.steps, after.steps)) {
    const moved = await moveRuns(tx, before, stepId, next, now);
    if (next === null && moved > 0)
      await addCounts(tx, businessId, [{ automationId: before.id, stepId: '', done: moved, exited: 0 }]);
  }
}

export async function deleteAutomation(ctx: Command, id: string) {
  const row = await lockAutomation(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Automation');
  ctx.checkVersion(row.version);
  await removeAutomation(ctx, row);
  return SUCCESS;
}

/** Stops the automation and cancels its unsent emails. A task deletes its runs. The automation must be locked. */
export async function removeAutomation(
  ctx: Pick<Command, 'db' | 'now' | 'emit' | 'enqueue'>,
  row: AutomationRow,
): Promise<void> {
  const { db: tx, now } = ctx;
  await markDeleted(tx, row, now);
  for (const send of await lockOpenSendsOfAutomation(tx, row.businessId, row.id)) await markCancelled(tx, send, now);
  ctx.emit({ type: 'automation.deleted', entity: `automation:${row.id}`, data: automationOf(row) });
  await ctx.enqueue(CLEAR_AUTOMATION, { id: row.id });
}

export async function getAutomation(
  { db, businessId }: Pick<Query, 'db' | 'businessId'>,
  id: string,
): Promise<AutomationRow> {
  const row = await findAutomation(db, businessId, id);
  if (!row) throw notFound('Automation');
  return row;
}

export async function readAutomation(ctx: Query, id: string): Promise<Versioned<Automation>> {
  const row = await getAutomation(ctx, id);
  return { record: automationOf(row), version: row.version };
}

/** Newest first. */
export async function listAutomations(
  ctx: Query,
  query: { limit?: number; cursor?: string },
): Promise<Page<ListedAutomation>> {
  const { replica, businessId, cursors } = ctx;
  const limit = pageLimit(query.limit);
  const scope = `automations:${businessId}`;
  const [before] = cursors.decode(scope, query.cursor) ?? [null];
  const rows = await listRows(replica, businessId, before as string | null, limit + 1);
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => ({ ...automationOf(row), active: row.active, etag: etagOf(row.version) }),
  );
}
