import type { Command } from '../../../context/index.ts';
import type { EventType } from '../../../shared/events.ts';
import type { Invitation } from './schemas.ts';

/** Where it is answered, the path may name no business. */
export const tellInvitation = (ctx: Pick<Command, 'emit'>, type: EventType, data: Invitation): Promise<void> =>
  ctx.emit({ type, entity: `invitation:${data.id}`, data, businessId: data.businessId });
