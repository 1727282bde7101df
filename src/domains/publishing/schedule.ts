import type { Command as AnyCommand } from '../../context/index.ts';
import { conflict, isTemporary, ServiceError } from '../../shared/errors.ts';
import { nextDue } from '../../shared/records/status-schedule.ts';
import type { ScheduledStatus } from '../../shared/records/status-schemas.ts';
import type { Steps } from './context.ts';

export const PUBLISH_DUE = 'publish-due';
/** The due time stays the same while a row is leased, so that it shows for how long the record has been due. */
export const PLANNED = {
  name: 'planned',
  key: 'entity',
  due: 'greatest(due_at, leased_until)',
  lease: 'leased_until',
  columns: ['due_at'],
};
/** After this time, the failure is reported on the record and the row is no longer retried. */
const GIVE_UP_SECONDS = 86_400;

export type DueRow = { entity: string; dueAt: number };

/** Stores when the record is due next. Null if nothing is scheduled anymore. */
export async function plan(ctx: AnyCommand, entity: string, dueAt: number | null): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  if (dueAt === null) {
    await tx`delete from planned where business_id = ${businessId} and entity = ${entity}`;
    return;
  }
  await tx`
    insert into planned (business_id, entity, due_at) values (${businessId}, ${entity}, ${dueAt})
    on conflict (business_id, entity) do update set due_at = excluded.due_at, leased_until = 0`;
  if (dueAt <= now) await ctx.publish(`${PUBLISH_DUE}:${businessId}`);
}

/** Reschedules after a change to a record's scheduled statuses. */
export async function planScheduled(
  ctx: AnyCommand,
  entity: string,
  before: readonly ScheduledStatus[] | undefined,
  after: readonly ScheduledStatus[] | undefined,
): Promise<void> {
  if (nextDue(before) !== nextDue(after)) await plan(ctx, entity, nextDue(after));
}

/**
 * Publishes one due record or release in one transaction; repeating it has no effect. A permanent failure is stored on the
 * record and not retried.
 */
export async function publishDue(ctx: Steps, { entity, dueAt }: DueRow): Promise<void> {
  const { businessId } = ctx;
  const [name, id] = entity.split(':', 2) as [string, string];
  const kind = ctx.publishing.dueKind(name);
  try {
    await ctx.transaction((tx) => kind.publishDue(tx, id));
  } catch (error) {
    const failure = isPermanent(error) ? error : dueAt <= ctx.now - GIVE_UP_SECONDS ? timedOut : null;
    if (failure === null) throw error;
    if (failure === timedOut)
      ctx.log.error({ err: error, businessId, entity }, 'Scheduled publishing canceled after 24 hours of failures');
    await ctx.transaction((tx) => kind.recordFailure(tx, id, failure));
  }
}

const timedOut = conflict(
  'Publishing kept failing for 24 hours, so retries were stopped. Publish again, or contact your administrator.',
);

/** An error that a retry can't fix. */
const isPermanent = (error: unknown): error is ServiceError => error instanceof ServiceError && !isTemporary(error);

/** Adds the error to the statuses that were due. */
export const withError = (scheduled: readonly ScheduledStatus[] = [], { message }: ServiceError, now: number) =>
  scheduled.map((entry) =>
    entry.timestamp <= now && !entry.error ? { ...entry, error: message.slice(0, 500) } : entry,
  );
