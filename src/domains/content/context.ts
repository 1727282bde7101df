import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { MediaServices } from '../media/index.ts';
import type { PublishingServices } from '../publishing/index.ts';

export type ContentServices = Pick<context.AppServices, 'content'> & MediaServices & PublishingServices;

export type Query = context.Query<ContentServices>;
export type Command = context.Command<ContentServices>;
export type Steps = context.Steps<ContentServices>;
export const command = commandFor<ContentServices>();
