import type { Command } from '../../../context/index.ts';
import type { EventType } from '../../../shared/events.ts';
import type { Invitation } from './schemas.ts';

/** Sets the business explicitly, because a request that accepts or declines may have no business in its path. */
export const emitInvitation = (ctx: Pick<Command, 'emit'>, type: EventType, data: Invitation): void =>
  ctx.emit({ type, entity: `invitation:${data.id}`, data, businessId: data.businessId });
