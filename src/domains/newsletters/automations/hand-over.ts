import { newId } from '../../../shared/ids.ts';
import { protectEntry } from '../../content/index.ts';
import type { Command } from '../context.ts';
import { checkUnchanged, readSource } from '../rendering/source.ts';
import { freezeSend } from '../sends/batches/freeze-send.ts';
import { deliveringSubject } from '../sends/batches/subject.ts';
import { insertSend, type SendRow } from '../sends/send-queries.ts';
import { insertContent } from './mail-queries.ts';
import type { PreparedMail } from './prepare-mails.ts';
import type { AutomationRow } from './queries.ts';
import type { MailStep } from './steps.ts';

/**
 * Hands the email of a step over to the workers that deliver newsletters, as a send to these people. Runs in the transaction that moves
 * their runs on, so that each person has exactly one delivery. People who can't read the entry get none. Returns the ID of the send. Throws
 * `SourceChanged` if the entry changed since it was rendered.
 */
export async function handOver(
  ctx: Command,
  automation: AutomationRow,
  step: MailStep,
  { source, content, contentId }: NonNullable<PreparedMail>,
  subscriptionIds: readonly string[],
): Promise<string> {
  const { db: tx, businessId, now } = ctx;
  await protectEntry(tx, businessId, step.entryId);
  checkUnchanged(source, await readSource(ctx, step.entryId));
  await insertContent(tx, businessId, contentId, content, now);
  const send = {
    businessId,
    id: newId('snd'),
    entryId: step.entryId,
    collectionId: automation.collectionId,
    status: 'SENDING' as const,
    exclusive: false,
    onUnknown: source.collection.settings.onUnknown ?? ('RETRY' as const),
    scheduledAt: now,
    recipients: 0,
    segmentId: null,
    experiment: null,
    localTime: false,
    tracking: null,
    dueAt: now,
    content: null,
    automationId: automation.id,
    stepId: step.id,
    contentId,
    createdAt: now,
    startedAt: now,
  };
  await insertSend(tx, send);
  await freezeSend(
    tx,
    send as SendRow & typeof send,
    { content, filter: null, only: subscriptionIds, zones: null },
    now,
  );
  await ctx.publish(deliveringSubject(businessId));
  return send.id;
}
