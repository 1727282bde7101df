import type { Command } from '../../../context/index.ts';
import type { EventType } from '../../../shared/events.ts';
import { sendOf } from './schemas.ts';
import { findSendView } from './send-queries.ts';

/** A send as it is after the write that this tells of. */
export async function tellSend(
  ctx: Pick<Command, 'db' | 'emit'>,
  type: EventType,
  { businessId, entryId, id }: { businessId: string; entryId: string; id: string },
): Promise<void> {
  const send = await findSendView(ctx.db, businessId, entryId, id);
  if (send) await ctx.emit({ type, entity: `send:${id}`, data: sendOf(send), businessId });
}
