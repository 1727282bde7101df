import { conflict, notFound } from '../../../shared/errors.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command, Query, Steps } from '../context.ts';
import { getAutomation } from './automations.ts';
import { countSteps, deleteRuns, findActiveRun, listPeople as listRows, stopRun } from './people-queries.ts';
import { protectAutomation } from './queries.ts';
import { addCounts } from './run-queries.ts';
import { type AutomationCounts, type AutomationPerson, type PeopleQuery, personOf } from './schemas.ts';

/** Newest first. */
export async function listPeople(
  ctx: Query,
  { id, ...query }: PeopleQuery & { id: string },
): Promise<Page<AutomationPerson>> {
  const { cursors } = ctx;
  const automation = await getAutomation(ctx, id);
  const limit = pageLimit(query.limit);
  const scope = `automation-people:${id}`;
  const before = cursors.decode(scope, query.cursor) as [number, string, string] | null;
  const rows = await listRows(ctx.replica, automation, { status: query.status, before, limit: limit + 1 });
  return cursors.page(scope, rows, limit, (row) => [row.enteredAt, row.subscriptionId, row.occurrence], personOf);
}

export async function countPeople(ctx: Query, id: string): Promise<AutomationCounts> {
  const automation = await getAutomation(ctx, id);
  const counts = await countSteps(ctx.replica, automation);
  const sum = (of: (count: (typeof counts)[number]) => number) => counts.reduce((total, count) => total + of(count), 0);
  const none = { waiting: 0, done: 0, exited: 0, sent: 0, failed: 0 };
  return {
    active: sum(({ waiting }) => waiting),
    completed: counts.find(({ stepId }) => stepId === '')?.done ?? 0,
    exited: sum(({ exited }) => exited),
    steps: automation.steps.map(({ id: stepId }) => ({
      stepId,
      ...(counts.find((count) => count.stepId === stepId) ?? none),
    })),
  };
}

/** Removes a person. An email that is already in transit is still sent. */
export async function stopPerson(ctx: Command, { id, subscriptionId }: { id: string; subscriptionId: string }) {
  const { db: tx, businessId, now } = ctx;
  const automation = await protectAutomation(tx, { businessId, id });
  const run = automation && (await findActiveRun(tx, automation, subscriptionId));
  if (!run) throw notFound('Person');
  if (run.status !== 'ACTIVE') throw conflict('This person has already left the automation.');
  await stopRun(tx, automation, run, now);
  await addCounts(tx, businessId, [{ automationId: id, stepId: run.stepId!, done: 0, exited: 1 }]);
  const data = { automationId: id, subscriptionId, email: run.email };
  ctx.emit({ type: 'automation.stopped', entity: `subscription:${subscriptionId}`, data });
  return SUCCESS;
}

const BATCH = 1000;

/** Deletes the remaining rows of a deleted automation. Idempotent. */
export async function clearAutomation(ctx: Steps, { id }: { id: string }): Promise<void> {
  const { businessId } = ctx;
  while (await ctx.transaction(({ db: tx }) => deleteRuns(tx, { businessId, id }, BATCH))) {
    if (ctx.signal.aborted)
      throw new Error('The process is shutting down. The next attempt will pick up where this one left off.');
  }
}
