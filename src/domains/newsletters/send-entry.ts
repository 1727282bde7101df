import { type Tx, violatesUnique } from '../../db/connection.ts';
import { conflict, invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { enqueueSend } from './jobs.ts';
import type { SendInput } from './schemas.ts';
import { hasSend, insertSend } from './send-queries.ts';
import { composeMail, isPublished, readSource, type SourceDeps } from './source.ts';
import { countActive } from './subscription-queries.ts';

/**
 * Plans a send, or begins it. One that begins at once takes its content here, so that nothing done to the entry afterwards
 * changes it; its audience is the first thing its job freezes. A planned one freezes both when its time has come.
 */
export async function sendEntry(deps: SourceDeps, tx: Tx, businessId: string, entryId: string, input: SendInput) {
  const source = await readSource(deps, tx, businessId, entryId);
  if (!isPublished(source)) {
    throw invalidField('statuses', 'NOT_PUBLISHED', 'Only an entry whose status is PUBLISHED can be sent.');
  }
  const { content, errors } = await composeMail(deps, source);
  if (errors.length > 0) throw invalid(errors);
  const { resend = false } = input;
  if (!resend && (await hasSend(tx, businessId, entryId))) throw alreadySent();

  const now = deps.clock.seconds();
  const startsNow = (input.scheduledAt ?? 0) <= now;
  const send = {
    ...{ businessId, id: newId('snd'), entryId, collectionId: source.collection.id },
    status: startsNow ? ('SENDING' as const) : ('SCHEDULED' as const),
    exclusive: !resend,
    onUnknown: source.collection.settings.onUnknown ?? ('RETRY' as const),
    scheduledAt: startsNow ? now : input.scheduledAt!,
    recipients: await countActive(tx, businessId, source.collection.id),
    content: startsNow ? content : null,
    createdAt: now,
    startedAt: startsNow ? now : null,
  };
  try {
    await insertSend(tx, send);
  } catch (error) {
    throw violatesUnique(error, 'sends_once') ? alreadySent() : error;
  }
  await enqueueSend(deps.jobs, tx, send, send.scheduledAt - now);
  const { id, status, scheduledAt, recipients } = send;
  return { id, entryId, status, scheduledAt, recipients };
}

const alreadySent = () =>
  conflict('This entry was sent, is being sent or is planned to be. Send `resend: true` to send it again.');
