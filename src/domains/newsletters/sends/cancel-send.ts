import type * as context from '../../../context/index.ts';
import { conflict, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { deliveringSubject } from './batches/subject.ts';
import { emitSend } from './emit-send.ts';
import { lockSend, markCancelled, type SendRow } from './send-queries.ts';

/** Stops a send. Messages already in transit are still sent. Idempotent. */
export async function cancelSend(ctx: Command, { entryId, sendId }: { entryId: string; sendId: string }) {
  const { db: tx, businessId } = ctx;
  const send = await lockSend(tx, businessId, sendId);
  if (send?.entryId !== entryId) throw notFound('Send');
  if (send.status === 'CANCELLED') return SUCCESS;
  if (send.status !== 'SCHEDULED' && send.status !== 'SENDING')
    throw conflict("This send has already finished and can't be canceled.");
  await cancel(ctx, send);
  return SUCCESS;
}

/** The send must be locked. */
export async function cancel(ctx: context.Command, send: SendRow): Promise<void> {
  await markCancelled(ctx.db, send, ctx.now);
  await emitSend(ctx, 'newsletter.cancelled', send);
  if (send.frozen) await ctx.publish(deliveringSubject(send.businessId));
}
