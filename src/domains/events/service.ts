import type { Steps } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { PickDeclared } from './event-data.ts';
import type { OnNumbered } from './sequencer.ts';

/** Looks up users. Passed in because the domains of accounts and businesses depend on this one. */
export type People = Readonly<{
  namesOf: (db: Db, userIds: string[]) => Promise<Map<string, string>>;
  /** Returns the users who have acted at the business: it may see only their names. */
  filterUsersWithActivity: (ctx: { db: Db; businessId: string }, userIds: readonly string[]) => Promise<Set<string>>;
}>;

export type Events = Readonly<{
  /** Call this after committing events of the business, so that they are numbered soon. */
  wake(businessId: string): void;
  /** Numbers committed events now, without waiting for the next run. */
  sequence(ctx: Steps): Promise<boolean>;
  /** Registers a hook that runs in the transaction that numbers the events. */
  onNumbered(hook: OnNumbered): void;
  people: People;
  /** Removes the fields that the event's type does not declare. Call it for every event that is sent. */
  pickDeclared: PickDeclared;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly events: Events;
  }
}
