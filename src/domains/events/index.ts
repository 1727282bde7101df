/** Events of businesses and accounts. They are numbered and served as a feed, an audit log and a stream. */
import type { Platform, Steps } from '../../context/index.ts';
import { deleteOldEvents } from './delete-old.ts';
import { eventCause, insertAccountEvent, insertEvents, insertEventsFrom, insertEventWith } from './emit.ts';
import { createPick, type EventSchemas } from './event-data.ts';
import { handleNumbering, type OnNumbered, sequence } from './sequencer.ts';
import type { Events, People } from './service.ts';

export type { EventServices } from './context.ts';
export { eraseEventsOf, eraseMentions } from './erase-events.ts';
export { eventId, eventJson, likePatterns, positionOf } from './event.ts';
export { readAccountAudit } from './list-events.ts';
export { countEvents, findFeedState, findOldestPosition, listEventRange, listEventsAt } from './queries.ts';
export { AccountEvent, EventPattern } from './schemas.ts';
export type { NumberedEvent } from './sequencer-queries.ts';
export type { Events } from './service.ts';

/** Writes the events of commands. Part of every context. */
export const eventWriter = { insertEvents, insertEventsFrom, insertEventWith, eventCause, insertAccountEvent };

/** `schemas` is passed in because the domains that declare them depend on this one. */
export function createEvents(platform: Platform, people: People, schemas: EventSchemas): Events {
  const onNumbered: OnNumbered[] = [];
  const numbering = handleNumbering(platform, onNumbered);
  platform.handleJobs<object>({ name: 'events-upkeep', cron: '17 * * * *', handle: deleteOldEvents });
  return {
    wake: (businessId) => numbering.wake({ businessId }),
    sequence: (ctx: Steps) => sequence(ctx, onNumbered),
    onNumbered: (hook) => void onNumbered.push(hook),
    people,
    pickDeclared: createPick(schemas),
  };
}
