import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { EventServices } from '../events/index.ts';
import type { MediaServices } from '../media/index.ts';

export type PublishingServices = Pick<context.AppServices, 'publishing'> &
  EventServices &
  BusinessServices &
  MediaServices;

export type Query = context.Query<PublishingServices>;
export type Command = context.Command<PublishingServices>;
export type Steps = context.Steps<PublishingServices>;
export const command = commandFor<PublishingServices>();
