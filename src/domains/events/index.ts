/** What happened: events of businesses and of accounts, numbered, read as a feed, as an audit and as a stream. */
import type { Platform, Steps } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { EventServices } from './context.ts';
import { deleteOldEvents } from './delete-old.ts';
import { insertAccountEvent, insertEvent } from './emit.ts';
import { createSequencer } from './sequencer.ts';

export type { EventServices } from './context.ts';
export { type EventRow, eventId, eventJson, likePatterns } from './event.ts';
export { eventsSubject } from './sequencer.ts';

/** How commands write events: a part of every context. */
export const eventWriter = { insertEvent, insertAccountEvent };

/** The names of these people. */
type NamesOf = (db: Db, userIds: string[]) => Promise<Map<string, string>>;

export function createEvents(platform: Platform, system: () => Steps) {
  const sequencer = createSequencer({ system, log: platform.log });
  let namesOf: NamesOf = async () => new Map();
  platform.handleJobs<object, EventServices>({ name: 'events-upkeep', cron: '17 * * * *', handle: deleteOldEvents });
  return {
    wake: sequencer.wake,
    stop: sequencer.stop,
    namesOf: (db: Db, userIds: string[]) => namesOf(db, userIds),
    /** Accounts stand above: they say who is who. */
    registerNames(names: NamesOf): void {
      namesOf = names;
    },
  };
}

export type Events = ReturnType<typeof createEvents>;
