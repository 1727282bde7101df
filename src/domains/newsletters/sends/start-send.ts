import type { Platform } from '../../../context/index.ts';
import { createBound } from '../../../shared/bound.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { getBusiness, isTimeZone } from '../../businesses/index.ts';
import type { Command, Reading, Steps } from '../context.ts';
import type { MailContent } from '../rendering/compose-mail.ts';
import { isPublished, isSourceChanged, type Source } from '../rendering/source.ts';
import { findSegment, type SegmentRow } from '../segments/queries.ts';
import { freezeSend } from './batches/freeze-send.ts';
import { listTimeZones, refreshStatistics } from './batches/queries.ts';
import { deliveringSubject } from './batches/subject.ts';
import { emitSend } from './emit-send.ts';
import { localTimes, MAX_AHEAD_SECONDS, type Zones } from './local-time.ts';
import {
  failSend,
  findSend,
  lockSend,
  type OnUnknown,
  postponeStart,
  type SendKey,
  type SendRow,
} from './send-queries.ts';
import { checkVersionsUnchanged, composeVersions, readVersions } from './versions.ts';

/** A send with at least this many recipients can change the best query plan. */
const LARGE_SEND = 1000;

type DueSend = Pick<SendRow, 'id' | 'recipients' | 'segmentId'>;

/** Starting a send to this many recipients, or to a segment, takes seconds. */
const isHeavy = ({ recipients, segmentId }: DueSend) => segmentId !== null || recipients >= 10_000;

const MAX_RENDERINGS = 10;

const START = 'newsletter-start';

/** The content to freeze, or an error code if the entry can no longer be sent. `sources` is null if it was rendered earlier. */
type Rendered = { sources: Source[] | null; content: MailContent; onUnknown: OnUnknown } | { error: string };

/** Maximum number of concurrent starts per process. At least one is reserved for starts that are not heavy. */
const CONCURRENCY = 4;
const MAX_HEAVY = 3;
const MAX_HEAVY_OF_BUSINESS = 2;

/** Sends that have not started are due rows, handled separately from running sends, so that they don't wait for those. */
export function handleStarts({ handleDueRows }: Pick<Platform, 'handleDueRows'>): void {
  const heavy = createBound({ max: MAX_HEAVY, maxPer: { business: MAX_HEAVY_OF_BUSINESS } });
  handleDueRows<DueSend>({
    name: START,
    concurrency: CONCURRENCY,
    table: {
      name: 'sends',
      key: 'id',
      due: '(case when open and not frozen then due_at end)',
      columns: ['recipients', 'segment_id'],
    },
    async handle(ctx, send) {
      const { businessId } = ctx;
      const leave = isHeavy(send) ? heavy.enter({ business: businessId }) : () => {};
      if (!leave) return ctx.write((tx) => postponeStart(tx, { businessId, id: send.id }, ctx.now + 1));
      await startSend(ctx, send).finally(leave);
    },
  });
}

/** Publishing this subject starts the due sends of a business immediately. */
export const startsSubject = (businessId: string) => `${START}:${businessId}`;

/** Freezes a due send, once. Other workers deliver it. */
export async function startSend(ctx: Steps, { id }: Pick<SendKey, 'id'>): Promise<void> {
  const send = await findSend(ctx.db, ctx.businessId, id);
  if (!send || !canStart(send, ctx.now) || !(await renderAndFreeze(ctx, send))) return;
  const started = await findSend(ctx.db, ctx.businessId, id);
  if (started && started.recipients >= LARGE_SEND) await ctx.write(refreshStatistics);
}

async function renderAndFreeze(ctx: Steps, send: SendRow): Promise<boolean> {
  for (let rendering = 1; ; rendering++) {
    const rendered = await renderSend(ctx, send);
    try {
      return await ctx.transaction((tx) => freeze(tx, send.id, rendered));
    } catch (error) {
      if (!isSourceChanged(error) || rendering === MAX_RENDERINGS) throw error;
    }
  }
}

const canStart = ({ open, frozen, status, scheduledAt, localTime }: SendRow, now: number) =>
  open && !frozen && status !== 'CANCELLED' && scheduledAt <= now + (localTime ? MAX_AHEAD_SECONDS : 0);

async function renderSend(ctx: Steps, send: SendRow): Promise<Rendered> {
  if (send.content) return { sources: null, content: send.content, onUnknown: send.onUnknown };
  const sources = await findSources(ctx, send);
  if ('error' in sources) return sources;
  const { content, errors } = composeVersions(ctx, sources, send.experiment);
  if (errors.length > 0) return { error: errors[0]!.error };
  return { sources, content, onUnknown: sources[0]!.collection.settings.onUnknown ?? 'RETRY' };
}

/** Returns true if this call froze the send. If several workers try, the first to lock the send freezes it. */
async function freeze(ctx: Command, id: string, rendered: Rendered): Promise<boolean> {
  const { db: tx, businessId, now } = ctx;
  const send = await lockSend(tx, businessId, id);
  if (!send || !canStart(send, now)) return false;
  const segment = send.segmentId === null ? null : await findSegment(tx, businessId, send.segmentId);
  const error = 'error' in rendered ? rendered.error : await findError(ctx, send, rendered.sources, segment);
  if (error !== null) {
    await failSend(tx, send, error, now);
    await emitSend(ctx, 'newsletter.cancelled', send);
    return false;
  }
  const { content, onUnknown } = rendered as Exclude<Rendered, { error: string }>;
  const zones = send.localTime ? await readZones(ctx, send) : null;
  await freezeSend(tx, { ...send, onUnknown }, { content, filter: segment?.filter ?? null, zones }, now);
  await ctx.publish(deliveringSubject(businessId));
  if (send.status === 'SCHEDULED') await emitSend(ctx, 'newsletter.started', send);
  return true;
}

async function readZones(ctx: Command, send: SendRow): Promise<Zones> {
  const { timeZone = 'UTC' } = (await getBusiness(ctx, ctx.businessId)).configs.profile ?? {};
  const zones = (await listTimeZones(ctx.db, send)).filter(isTimeZone);
  return localTimes(send.scheduledAt, timeZone, zones);
}

/** The error code if the rendered entry can no longer be sent. Throws `SourceChanged` if it must be rendered again. */
async function findError(
  ctx: Command,
  send: SendRow,
  rendered: Source[] | null,
  segment: SegmentRow | null,
): Promise<string | null> {
  if (send.segmentId !== null && segment === null) return 'SEGMENT_NOT_FOUND';
  if (rendered === null) return null;
  const current = await findSources(ctx, send);
  if ('error' in current) return current.error;
  checkVersionsUnchanged(rendered, current);
  return null;
}

/** A published issue and its alternatives, or an error code. */
async function findSources(ctx: Reading, { entryId, experiment }: SendRow): Promise<Source[] | { error: string }> {
  try {
    const sources = await readVersions(ctx, entryId, experiment);
    return isPublished(sources[0]!) ? sources : { error: 'NOT_PUBLISHED' };
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return { error: 'ENTRY_NOT_FOUND' };
    if (error instanceof ServiceError && error.kind === 'VALIDATION_FAILED') return { error: error.details[0]!.error };
    throw error;
  }
}
