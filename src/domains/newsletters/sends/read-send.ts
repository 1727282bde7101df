import { notFound } from '../../../shared/errors.ts';
import type { Query } from '../context.ts';
import { type Send, sendOf } from './schemas.ts';
import { findSendView, type SendView } from './send-queries.ts';

export type SendPath = { entryId: string; sendId: string };

/** A send with its progress. */
export async function readSend(ctx: Query, path: SendPath): Promise<Send> {
  return sendOf(await getSendView(ctx, path));
}

export async function getSendView({ db, businessId }: Query, { entryId, sendId }: SendPath): Promise<SendView> {
  const send = await findSendView(db, businessId, entryId, sendId);
  if (!send) throw notFound('Send');
  return send;
}
