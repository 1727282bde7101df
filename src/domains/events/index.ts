/** What happened: events of businesses and of accounts, numbered, read as a feed, as an audit and as a stream. */
import type { Platform, Steps } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { EventServices } from './context.ts';
import { deleteOldEvents } from './delete-old.ts';
import { insertAccountEvent, insertEvents, insertEventsFrom } from './emit.ts';
import { createSequencer, type OnNumbered, sequence } from './sequencer.ts';

export type { EventServices } from './context.ts';
export { eraseEventsOf, eraseMentions } from './erase-events.ts';
export { eventId, eventJson, positionOf } from './event.ts';
export { readAccountAudit } from './list-events.ts';
export { findOldestPosition, listEventRange, listEventsAt } from './queries.ts';
export { TypePattern } from './schemas.ts';
export type { NumberedEvent } from './sequencer-queries.ts';

/** How commands write events: a part of every context. */
export const eventWriter = { insertEvents, insertEventsFrom, insertAccountEvent };

/** The names of these people. */
type NamesOf = (db: Db, userIds: string[]) => Promise<Map<string, string>>;

export function createEvents(platform: Platform, system: () => Steps) {
  const onNumbered: OnNumbered[] = [];
  const sequencer = createSequencer({ system, log: platform.log, onNumbered });
  let namesOf: NamesOf = async () => new Map();
  platform.handleJobs<object, EventServices>({ name: 'events-upkeep', cron: '17 * * * *', handle: deleteOldEvents });
  return {
    wake: sequencer.wake,
    stop: sequencer.stop,
    /** Numbers what is committed now, without waiting for the next round. */
    sequence: (ctx: Steps) => sequence(ctx, onNumbered),
    /** Runs in the transaction that numbers the events. */
    onNumbered: (act: OnNumbered) => void onNumbered.push(act),
    namesOf: (db: Db, userIds: string[]) => namesOf(db, userIds),
    /** Accounts stand above: they say who is who. */
    registerNames(names: NamesOf): void {
      namesOf = names;
    },
  };
}

export type Events = ReturnType<typeof createEvents>;
