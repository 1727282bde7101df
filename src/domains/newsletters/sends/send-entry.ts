import { done, type StepsOf } from '../../../context/index.ts';
import { violatesUnique } from '../../../db/errors.ts';
import { conflict, invalid, invalidField } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { protectEntry } from '../../content/index.ts';
import type { NewsletterServices } from '../context.ts';
import { composeMail, type MailContent } from '../rendering/compose-mail.ts';
import { checkUnchanged, isPublished, readSource, type Source } from '../rendering/source.ts';
import { countActive } from '../subscriptions/queries.ts';
import { enqueueSend, enqueueStart } from './jobs.ts';
import type { SendInput, SendStarted } from './schemas.ts';
import { hasSend, insertSend } from './send-queries.ts';
import { tellSend } from './tell.ts';

type Input = SendInput & { entryId: string };
type Prepared = { source: Source; content: MailContent };

/**
 * Schedules a send, or starts it. One that starts at once stores its content here, so that nothing done to the entry afterwards
 * changes it; its audience is frozen first thing by its job. A scheduled one freezes both when its time has come. Raises
 * `SourceChanged` when the entry was changed while it was rendered.
 */
export const sendEntry: StepsOf<NewsletterServices, Input, Prepared, never, SendStarted> = {
  async prepare(ctx, { entryId }) {
    const source = await readSource(ctx, entryId);
    if (!isPublished(source)) {
      throw invalidField('statuses', 'NOT_PUBLISHED', 'Only an entry whose status is PUBLISHED can be sent.');
    }
    const { content, errors } = composeMail(ctx, source);
    if (errors.length > 0) throw invalid(errors);
    return { source, content };
  },
  async execute(ctx, { entryId, scheduledAt, resend = false }, { source, content }) {
    const { db: tx, businessId, now } = ctx;
    await protectEntry(tx, businessId, entryId);
    checkUnchanged(source, await readSource(ctx, entryId));
    if (!resend && (await hasSend(tx, businessId, entryId))) throw alreadySent();
    const { collection } = source;
    const startsNow = (scheduledAt ?? 0) <= now;
    const send = {
      businessId,
      id: newId('snd'),
      entryId,
      collectionId: collection.id,
      status: startsNow ? ('SENDING' as const) : ('SCHEDULED' as const),
      exclusive: !resend,
      onUnknown: collection.settings.onUnknown ?? ('RETRY' as const),
      scheduledAt: startsNow ? now : scheduledAt!,
      recipients: await countActive(tx, businessId, collection.id),
      content: startsNow ? content : null,
      createdAt: now,
      startedAt: startsNow ? now : null,
    };
    await insertSend(tx, send).catch((error) => {
      throw violatesUnique(error, 'sends_once') ? alreadySent() : error;
    });
    await tellSend(ctx, startsNow ? 'newsletter.started' : 'newsletter.scheduled', send);
    if (startsNow) await enqueueSend(ctx, send, 0);
    else await enqueueStart(ctx, send, send.scheduledAt - now);
    return done({
      id: send.id,
      entryId,
      status: send.status,
      scheduledAt: send.scheduledAt,
      recipients: send.recipients,
    });
  },
};

const alreadySent = () =>
  conflict('This entry was sent, is being sent or is planned to be. Send `resend: true` to send it again.');
