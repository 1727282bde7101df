import type { Command } from '../../../context/index.ts';
import type { EventType } from '../../../shared/events.ts';
import { sendOf } from './schemas.ts';
import { findSendView } from './send-queries.ts';

/** Emits an event with the current state of the send. Call it after the write. */
export async function emitSend(
  ctx: Pick<Command, 'db' | 'emit'>,
  type: EventType,
  { businessId, entryId, id }: { businessId: string; entryId: string; id: string },
): Promise<void> {
  const send = await findSendView(ctx.db, businessId, entryId, id);
  if (send) ctx.emit({ type, entity: `send:${id}`, data: sendOf(send), businessId });
}
