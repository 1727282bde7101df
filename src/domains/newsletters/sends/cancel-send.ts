import type * as context from '../../../context/index.ts';
import { conflict, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { enqueueSend } from './jobs.ts';
import { lockSend, markCancelled, type SendRow } from './send-queries.ts';
import { tellSend } from './tell.ts';

/** No further message is sent, beyond those that are being sent at this moment. Repeatable. */
export async function cancelSend(ctx: Command, { entryId, sendId }: { entryId: string; sendId: string }) {
  const { db: tx, businessId } = ctx;
  const send = await lockSend(tx, businessId, sendId);
  if (send?.entryId !== entryId) throw notFound('Send');
  if (send.status === 'CANCELLED') return SUCCESS;
  if (send.status !== 'SCHEDULED' && send.status !== 'SENDING')
    throw conflict('This send is over: nothing of it is left to cancel.');
  await cancel(ctx, send);
  return SUCCESS;
}

/** The send is locked. */
export async function cancel(ctx: context.Command, send: SendRow): Promise<void> {
  await markCancelled(ctx.db, send, ctx.now);
  await tellSend(ctx, 'newsletter.cancelled', send);
  if (send.frozen) await enqueueSend(ctx, send, 0);
}
