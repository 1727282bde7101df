import type { Command as AnyCommand } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import { conflict, isPassing, ServiceError } from '../../shared/errors.ts';
import { nextDue, type ScheduledStatus } from '../../shared/statuses.ts';
import type { Steps } from './context.ts';

export const PUBLISH_DUE = 'publish-due';
export const SWEEP_DUE = 'publish-sweep';
/** A job that is later than this was lost, most likely. */
const LATE_SECONDS = 30;
const SWEPT = 500;
/** What has failed for so long is told to people, who can do something about it; nothing waits for ever. */
const GIVE_UP_SECONDS = 86_400;

export type DueJob = { businessId: string; entity: string };

/** Notes when something of the record is due next, and has a job do it then. Null: nothing waits any more. */
export async function plan(ctx: AnyCommand, entity: string, dueAt: number | null): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  if (dueAt === null) {
    await tx`delete from planned where business_id = ${businessId} and entity = ${entity}`;
    return;
  }
  await tx`
    insert into planned (business_id, entity, due_at) values (${businessId}, ${entity}, ${dueAt})
    on conflict (business_id, entity) do update set due_at = excluded.due_at`;
  await enqueueDue(ctx, { businessId, entity }, dueAt, dueAt - now);
}

/** After a change of what waits in a record. */
export async function planScheduled(
  ctx: AnyCommand,
  entity: string,
  before: readonly ScheduledStatus[] | undefined,
  after: readonly ScheduledStatus[] | undefined,
): Promise<void> {
  if (nextDue(before) !== nextDue(after)) await plan(ctx, entity, nextDue(after));
}

const enqueueDue = (ctx: AnyCommand, job: DueJob, dueAt: number, afterSeconds: number) =>
  ctx.enqueue(PUBLISH_DUE, job, {
    startAfterSeconds: Math.max(0, afterSeconds),
    key: `${job.businessId}/${job.entity}/${dueAt}`,
  });

/**
 * Does what is due of one record or release, in one transaction; whoever comes second finds nothing left to do. What is refused
 * for good is noted where people see it, and not tried again.
 */
export async function publishDue(ctx: Steps, { entity }: DueJob): Promise<void> {
  const { businessId } = ctx;
  const [name, id] = entity.split(':', 2) as [string, string];
  const kind = ctx.publishing.kindOf(name);
  const dueAt = await findPlanned(ctx.db, businessId, entity);
  if (dueAt === null) return;
  // The clock of the database, by which jobs begin, may be ahead of ours.
  if (dueAt > ctx.now) return ctx.transaction((tx) => enqueueDue(tx, { businessId, entity }, dueAt, dueAt - tx.now));
  try {
    await ctx.transaction((tx) => kind.publishDue(tx, id));
  } catch (error) {
    const refusal = isRefusal(error) ? error : dueAt <= ctx.now - GIVE_UP_SECONDS ? gaveUp : null;
    if (refusal === null) throw error;
    if (refusal === gaveUp) ctx.log.error({ err: error, businessId, entity }, 'what was due for a day is given up');
    await ctx.transaction((tx) => kind.refuseDue(tx, id, refusal));
  }
}

const gaveUp = conflict('It was tried for a day and failed. Publish it again, or ask whoever runs the service.');

/** For a reason that does not pass by itself. */
const isRefusal = (error: unknown): error is ServiceError => error instanceof ServiceError && !isPassing(error);

/** What is due although nobody has done it: its job was lost, or has failed too often. */
export async function sweepDue(ctx: Steps): Promise<void> {
  const late = await listLate(ctx.db, ctx.now - LATE_SECONDS, SWEPT);
  for (const { businessId, entity, dueAt } of late) {
    await ctx.within(businessId).transaction((tx) => enqueueDue(tx, { businessId, entity }, dueAt, 0));
  }
}

async function findPlanned(db: Db, businessId: string, entity: string): Promise<number | null> {
  const [row] = await db<{ dueAt: number }[]>`
    select due_at from planned where business_id = ${businessId} and entity = ${entity}`;
  return row?.dueAt ?? null;
}

/** Of all businesses. */
const listLate = (db: Db, before: number, limit: number) => db<{ businessId: string; entity: string; dueAt: number }[]>`
  select business_id, entity, due_at from planned where due_at <= ${before} order by due_at limit ${limit}`;

/** What was due says why it did not come about. */
export const withError = (scheduled: readonly ScheduledStatus[] = [], { message }: ServiceError, now: number) =>
  scheduled.map((entry) =>
    entry.timestamp <= now && !entry.error ? { ...entry, error: message.slice(0, 500) } : entry,
  );
