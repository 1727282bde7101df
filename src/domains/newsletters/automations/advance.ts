import type { Platform } from '../../../context/index.ts';
import type { Command, Steps } from '../context.ts';
import { isSourceChanged } from '../rendering/source.ts';
import { listBusySteps } from './mail-queries.ts';
import { type PreparedMail, prepareMails } from './prepare-mails.ts';
import {
  type AutomationRow,
  listDueAutomations,
  listDueBusinesses,
  lockAutomation,
  protectAutomation,
  updateDueTime,
} from './queries.ts';
import {
  addCounts,
  type DueRun,
  listDueSteps,
  lockDueRuns,
  type RunChange,
  type RunReason,
  updateRuns,
} from './run-queries.ts';
import { runStep } from './run-step.ts';
import { type Step, stepAfter } from './steps.ts';

const STEPS = 'automation-steps';

/** Maximum number of people per transaction. */
const CHUNK = 500;
/** Maximum number of queued emails per step. More are handed over as these are sent, so that a pause takes effect quickly. */
const MAX_WAITING = 1000;
const SLICE_MS = 5000;

/** Runs due steps. Businesses take turns, and so do the automations of a business. */
export const handleSteps = ({ handleBatches }: Platform) =>
  handleBatches<{ businessId: string }>({
    name: STEPS,
    concurrency: 2,
    waiting: 'from automations where (case when enabled and deleted_at is null then due_at end) <= $1',
    list: (ctx, businessId, limit) => listDueBusinesses(ctx.db, businessId, ctx.now, limit),
    run: advanceBusiness,
  });

/** Returns true if more steps are due. */
async function advanceBusiness(ctx: Steps): Promise<boolean> {
  const until = performance.now() + SLICE_MS;
  for (let due = await listDueAutomations(ctx.db, ctx.businessId, ctx.now); due.length > 0; ) {
    const withMore: AutomationRow[] = [];
    for (const automation of due) {
      if (ctx.signal.aborted) return false;
      if (performance.now() > until) return true;
      if (await advance(ctx, automation)) withMore.push(automation);
    }
    due = withMore;
  }
  return false;
}

/** Runs the due steps of up to `CHUNK` people. Returns true if more may be due. */
async function advance(ctx: Steps, automation: AutomationRow): Promise<boolean> {
  const nowSeconds = ctx.clock.seconds();
  const except = await listBusySteps(ctx.db, automation, MAX_WAITING, nowSeconds);
  const stepIds = await listDueSteps(ctx.db, automation, { except, nowSeconds, limit: CHUNK });
  const mails = await prepareMails(ctx, automation, stepIds);
  try {
    const count = stepIds.length === 0 ? 0 : await ctx.transaction((tx) => runDue(tx, automation, stepIds, mails));
    if (count > 0) return true;
  } catch (error) {
    if (!isSourceChanged(error)) throw error;
    return true;
  }
  await ctx.transaction(async ({ db: tx }) => {
    if (await lockAutomation(tx, ctx.businessId, automation.id)) await updateDueTime(tx, automation);
  });
  return false;
}

async function runDue(
  ctx: Command,
  { businessId, id, version }: AutomationRow,
  stepIds: readonly string[],
  mails: ReadonlyMap<string, PreparedMail>,
): Promise<number> {
  const { db: tx, now } = ctx;
  const automation = await protectAutomation(tx, { businessId, id });
  if (!automation?.enabled) return 0;
  // If the automation was edited after the emails were rendered, the next turn renders them again.
  const runnable = automation.version === version ? stepIds : [];
  const runs = await lockDueRuns(tx, automation, { stepIds: runnable, nowSeconds: now, limit: CHUNK });
  const changes: RunChange[] = [];
  for (const [stepId, group] of Map.groupBy(runs, (run) => run.stepId)) {
    const step = automation.steps.find((each) => each.id === stepId);
    changes.push(...(step ? await runGroup(ctx, automation, step, group, mails) : group.map((run) => completed(run))));
  }
  await updateRuns(tx, automation, changes, now);
  await addCounts(tx, businessId, countsOf(id, changes));
  return runs.length;
}

async function runGroup(
  ctx: Command,
  automation: AutomationRow,
  step: Step,
  runs: readonly DueRun[],
  mails: ReadonlyMap<string, PreparedMail>,
): Promise<RunChange[]> {
  const eligible = runs.filter((run) => reasonToLeave(run) === null);
  const ids = eligible.filter(({ done }) => !done.includes(step.id)).map(({ subscriptionId }) => subscriptionId);
  const { stays, sendId } = ids.length === 0 ? NOTHING : await runStep(ctx, automation, step, ids, mails);
  return runs.map((run) => {
    const isNew = !run.done.includes(step.id);
    const reason = reasonToLeave(run) ?? (isNew && !stays.has(run.subscriptionId) ? 'CONDITION' : null);
    if (reason !== null) return { run, status: 'EXITED', reason, stepId: null, dueAt: null, sendId: null };
    const next = stepAfter(automation.steps, step.id, run.done);
    if (!next) return completed(run, sendId);
    const dueAt = ctx.now + next.delaySeconds;
    return { run, status: 'ACTIVE', reason: null, stepId: next.id, dueAt, sendId };
  });
}

const NOTHING = { stays: new Set<string>(), sendId: null };

const completed = (run: DueRun, sendId: string | null = null): RunChange => ({
  run,
  status: 'COMPLETED',
  reason: null,
  stepId: null,
  dueAt: null,
  sendId,
});

/** Subscribers whose payment is overdue stay in the automation, but don't get email. */
function reasonToLeave({ subscriptionStatus, isSuppressed }: DueRun): RunReason | null {
  if (isSuppressed) return 'SUPPRESSED';
  return subscriptionStatus === 'ACTIVE' || subscriptionStatus === 'PAST_DUE' ? null : 'UNSUBSCRIBED';
}

function countsOf(automationId: string, changes: readonly RunChange[]) {
  const counts = [...Map.groupBy(changes, ({ run }) => run.stepId)].map(([stepId, group]) => {
    const exited = group.filter(({ status }) => status === 'EXITED').length;
    return { automationId, stepId, done: group.length - exited, exited };
  });
  const done = changes.filter(({ status }) => status === 'COMPLETED').length;
  return done === 0 ? counts : [...counts, { automationId, stepId: '', done, exited: 0 }];
}
