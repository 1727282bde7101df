import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';

export type MediaServices = Pick<context.AppServices, 'media'>;

export type Query = context.Query<MediaServices>;
export type Command = context.Command<MediaServices>;
export type Steps = context.Steps<MediaServices>;
export const command = commandFor<MediaServices>();
