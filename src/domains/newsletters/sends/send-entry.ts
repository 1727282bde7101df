import { violatesUnique } from '../../../db/errors.ts';
import { conflict, invalid, invalidField } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { protectEntry } from '../../content/index.ts';
import { command, type Steps } from '../context.ts';
import { isPublished } from '../rendering/source.ts';
import { findSegment, hasOneNewsletter, protectSegment } from '../segments/queries.ts';
import { countActive } from '../subscriptions/queries.ts';
import { checkChoices } from './check-choices.ts';
import { emitSend } from './emit-send.ts';
import { firstLocalTime } from './local-time.ts';
import type { SendInput, SendStarted } from './schemas.ts';
import { hasSend, insertSend } from './send-queries.ts';
import { startsSubject } from './start-send.ts';
import { alternativesOf, checkVersionsUnchanged, composeVersions, readVersions } from './versions.ts';

type Input = SendInput & { entryId: string };

/**
 * Schedules or starts a send. An immediate send stores its content here, so that later changes to the entry don't affect it, and a
 * worker freezes its audience. A scheduled send freezes both when it starts. Throws `SourceChanged` if the entry changed while it
 * was rendered.
 */
export const sendEntry = command({
  async prepare(ctx, input: Input) {
    const experiment = input.experiment ? { ...input.experiment, subjects: input.experiment.subjects ?? [] } : null;
    const sources = await readVersions(ctx, input.entryId, experiment);
    if (!isPublished(sources[0]!)) {
      throw invalidField('statuses', 'NOT_PUBLISHED', 'Publish the entry before you send it.');
    }
    const { content, errors } = composeVersions(ctx, sources, experiment);
    errors.push(...checkChoices(input, content));
    if (errors.length > 0) throw invalid(errors);
    const recipients = await countRecipients(ctx, sources[0]!.collection.id, {
      segmentId: input.segmentId ?? null,
      planIds: content.planIds,
    });
    return { ...input, experiment, sources, content, recipients };
  },
  async execute(
    ctx,
    { entryId, scheduledAt, segmentId = null, resend = false, localTime = false, experiment, ...prepared },
  ): Promise<SendStarted> {
    const { db: tx, businessId, now } = ctx;
    const { sources, content, recipients } = prepared;
    for (const id of [entryId, ...alternativesOf(experiment)].sort()) await protectEntry(tx, businessId, id);
    checkVersionsUnchanged(sources, await readVersions(ctx, entryId, experiment));
    if (!resend && (await hasSend(tx, businessId, entryId))) throw alreadySent();
    if (segmentId !== null && !(await protectSegment(tx, businessId, segmentId))) throw noSegment();
    const { collection, business } = sources[0]!;
    const { timeZone = 'UTC' } = business.configs.profile ?? {};
    const dueAt = localTime ? firstLocalTime(scheduledAt!, timeZone) : (scheduledAt ?? 0);
    const startsNow = dueAt <= now;
    const send = {
      businessId,
      id: newId('snd'),
      entryId,
      collectionId: collection.id,
      status: startsNow ? ('SENDING' as const) : ('SCHEDULED' as const),
      exclusive: !resend,
      onUnknown: collection.settings.onUnknown ?? ('RETRY' as const),
      scheduledAt: startsNow && !localTime ? now : scheduledAt!,
      dueAt: Math.max(dueAt, now),
      recipients,
      segmentId,
      localTime,
      experiment,
      tracking: startsNow ? (content.tracking ?? null) : null,
      content: startsNow ? content : null,
      createdAt: now,
      startedAt: startsNow ? now : null,
    };
    await insertSend(tx, send).catch((error) => {
      throw violatesUnique(error, 'sends_once') ? alreadySent() : error;
    });
    await emitSend(ctx, startsNow ? 'newsletter.started' : 'newsletter.scheduled', send);
    if (startsNow) await ctx.publish(startsSubject(businessId));
    const { id, status } = send;
    return { id, entryId, status, scheduledAt: send.scheduledAt, recipients };
  },
});

type Limits = { segmentId: string | null; planIds: readonly string[] | undefined };

/** An estimate until the send starts. For a segment it reads everyone, so it is a scan and comes before the transaction. */
async function countRecipients(ctx: Steps, collectionId: string, { segmentId, planIds }: Limits): Promise<number> {
  const { db, businessId, now } = ctx;
  if (segmentId === null) return countActive(db, businessId, collectionId, { planIds });
  const segment = await findSegment(db, businessId, segmentId);
  if (!segment) throw noSegment();
  const { filter } = segment;
  return ctx.scan(async (scan) => {
    const isSingle = await hasOneNewsletter(scan, businessId);
    return countActive(scan, businessId, collectionId, { planIds, segment: { filter, nowSeconds: now, isSingle } });
  });
}

const noSegment = () => invalidField('segmentId', 'NOT_FOUND', 'The segment does not exist.');

const alreadySent = () => conflict('This entry was already sent or scheduled. Set resend=true to send it again.');
