import type * as context from '../../context/index.ts';
import type { Events } from './index.ts';

export type EventServices = { events: Events };

export type Query = context.Query<EventServices>;
export type Command = context.Command<EventServices>;
export type Steps = context.Steps<EventServices>;
