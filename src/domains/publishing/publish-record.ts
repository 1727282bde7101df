import type { Versioned } from '../../context/index.ts';
import { notFound, type ServiceError } from '../../shared/errors.ts';
import { systemStatus } from '../../shared/records/status-history.ts';
import { joinDue, planStatuses } from '../../shared/records/status-schedule.ts';
import type { ScheduledStatus, StatusEntry } from '../../shared/records/status-schemas.ts';
import type { Command } from './context.ts';
import type { DueKind, PublishableKind, PublishedRecord, RecordKind, Stored } from './kinds.ts';
import { authorOf } from './new-version.ts';
import { saveRecord } from './save-record.ts';
import { withError } from './schedule.ts';
import { findDraftOf, isLive, lockForChange, responseOf } from './stored-record.ts';
import type { Author } from './version-queries.ts';

/** Publishes a record for the caller, now or at a given time. */
export async function publishRecord<R extends PublishedRecord>(
  ctx: Command,
  { kind, id, at = ctx.now }: { kind: RecordKind<R>; id: string; at?: number | undefined },
): Promise<Versioned<R>> {
  const stored = await lockForChange(ctx, kind, id);
  ctx.checkVersion(stored.version);
  const { record } = stored;
  const { statuses, scheduled } = planStatuses({
    history: record.statuses,
    scheduled: record.scheduled ?? [],
    incoming: [{ status: kind.live, timestamp: Math.max(at, ctx.now) }],
    rescheduled: undefined,
    allowed: [kind.live],
    initial: kind.live,
    live: kind.live,
    caller: ctx.caller,
    businessId: ctx.businessId,
    nowSeconds: ctx.now,
  });
  const author = authorOf(ctx.caller);
  if (statuses.length > record.statuses.length) {
    const history = isLive(kind, record) ? record.statuses : statuses;
    return makePublic(ctx, kind, stored, { statuses: history, scheduled, author });
  }
  if (kind.isCheckedWhenScheduled) {
    const draft = await findDraftOf(ctx.db, kind, record);
    await kind.complete(ctx, record, draft?.record ?? null);
  }
  const after = { ...record, scheduled };
  return saveRecord(ctx, kind, stored, { record: after, words: null }, { action: 'UPDATED', ...author });
}

/** Publishes an item in a release, regardless of its visibility. */
export async function publishItem(ctx: Command, kind: PublishableKind, id: string): Promise<void> {
  const stored = await kind.lock(ctx, id);
  if (!stored) throw notFound(kind.noun);
  const { statuses, scheduled = [] } = stored.record;
  const added = isLive(kind, stored.record) ? [] : [systemStatus(kind.live, ctx.now)];
  await makePublic(ctx, kind, stored, { statuses: [...statuses, ...added], scheduled, author: { userId: null } });
}

type Publication = { statuses: StatusEntry[]; scheduled: ScheduledStatus[]; author: Author };

/** Publishes the draft, or the record itself if there is none. A live record without a draft is not changed. */
async function makePublic<R extends PublishedRecord>(
  ctx: Command,
  kind: PublishableKind<R>,
  stored: Stored<R>,
  { statuses, scheduled, author }: Publication,
): Promise<Versioned<R>> {
  const { record } = stored;
  const draft = await findDraftOf(ctx.db, kind, record);
  if (!draft && statuses.length === record.statuses.length) return responseOf(ctx, kind, stored);
  const complete = kind.hasVersions ? await kind.complete(ctx, record, draft?.record ?? null) : record;
  const after = { ...complete, statuses, scheduled, hasDraft: false, updatedAt: ctx.now };
  const composed = { record: after, words: draft?.words ?? null };
  return saveRecord(ctx, kind, stored, composed, { action: 'PUBLISHED', ...author });
}

/** Scheduled statuses of one kind of record. */
export const scheduledStatuses = (kind: PublishableKind): DueKind => ({
  async publishDue(ctx: Command, id) {
    const stored = await kind.lock(ctx, id);
    if (!stored) return;
    const { record } = stored;
    const { joined, statuses, scheduled } = joinDue(record.statuses, record.scheduled ?? [], ctx.now);
    const last = joined.at(-1);
    if (!last) return;
    const author = { userId: last.userId ?? null };
    if (last.status === kind.live) {
      await makePublic(ctx, kind, stored, { statuses, scheduled, author });
      return;
    }
    const after = { ...record, statuses, scheduled, updatedAt: ctx.now };
    await saveRecord(ctx, kind, stored, { record: after, words: null }, { action: 'UPDATED', ...author });
  },

  async recordFailure(ctx: Command, id, error: ServiceError) {
    const stored = await kind.lock(ctx, id);
    if (!stored) return;
    const after = { ...stored.record, scheduled: withError(stored.record.scheduled, error, ctx.now) };
    await saveRecord(ctx, kind, stored, { record: after, words: null }, { action: 'UPDATED', userId: null });
  },
});
