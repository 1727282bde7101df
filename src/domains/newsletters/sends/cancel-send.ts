import { conflict, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { enqueueSend } from './jobs.ts';
import { lockSend, markCancelled } from './send-queries.ts';

/** No further message is sent, beyond those that are being sent at this moment. Repeatable. */
export async function cancelSend(ctx: Command, { entryId, sendId }: { entryId: string; sendId: string }) {
  const { db: tx, businessId, now } = ctx;
  const send = await lockSend(tx, businessId, sendId);
  if (send?.entryId !== entryId) throw notFound('Send');
  if (send.status === 'CANCELLED') return SUCCESS;
  if (send.status !== 'SCHEDULED' && send.status !== 'SENDING') throw conflict('This send is over.');
  await markCancelled(tx, send, now);
  if (send.frozen) await enqueueSend(ctx, send, 0);
  return SUCCESS;
}
