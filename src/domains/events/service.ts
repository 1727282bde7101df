import type { Steps } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { OnNumbered } from './sequencer.ts';

/** Looks up the names of users. */
export type NamesOf = (db: Db, userIds: string[]) => Promise<Map<string, string>>;

export type Events = Readonly<{
  /** Call this after committing events of the business, so that they are numbered soon. */
  wake(businessId: string): void;
  /** Numbers committed events now, without waiting for the next run. */
  sequence(ctx: Steps): Promise<boolean>;
  /** Registers a hook that runs in the transaction that numbers the events. */
  onNumbered(hook: OnNumbered): void;
  namesOf: NamesOf;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly events: Events;
  }
}
