import type * as context from '../../context/index.ts';

export type EventServices = Pick<context.AppServices, 'events'>;

export type Query = context.Query<EventServices>;
export type Steps = context.Steps<EventServices>;
