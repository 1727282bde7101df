/**
 * Personal data of the people a business has to do with: who holds some says here how it is shown to them and how it is
 * erased. `app.ts` hands every holder to `domains/privacy`, which runs them one after the other.
 */
import type { Db } from '../db/sql.ts';
import type { Command, Query, Steps } from './index.ts';

/** By what a person is known. `emails` are in lower case. `since`: what is older was erased before, and what is left of it stays. */
export type Person = Readonly<{ userId: string | null; emails: readonly string[]; since?: number }>;

/** What an erasure leaves, and why. */
export type Kept = { what: string; count: number; reason: KeptReason };
export const KEPT_REASONS = ['ACCOUNTING', 'ORDER_OPEN', 'PAYMENT_OPEN', 'MEMBER', 'PAYMENT_PROVIDER'] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

type ErasedBatch = {
  erased: number;
  kept?: Kept[];
  /** Records whose events tell of the person: what the events say of them goes in the same transaction. */
  entities: string[];
  /** Where the next batch begins; null: there is none. */
  next: string | null;
};

export type PersonalDataHolder<Services = unknown> = {
  /** What it holds: its name in exports and reports. */
  name: string;
  /** Who the record of this id is about; null: no record of this holder. */
  find?(db: Db, businessId: string, id: string): Promise<Person | null>;
  /** Those of these businesses where it holds something of the person. */
  businessesOf(db: Db, businessIds: readonly string[], person: Person): Promise<string[]>;
  /** A page of the records, for the person to read. */
  list(
    ctx: Query<Services>,
    person: Person,
    after: string | null,
  ): Promise<{ items: readonly object[]; next: string | null }>;
  /** What must be told to others before anything is erased. Safe to repeat. */
  prepare?(ctx: Steps<Services>, person: Person): Promise<Kept[]>;
  /** One batch, in a transaction with the note of how far the erasure has come. */
  erase(ctx: Command<Services>, person: Person, after: string | null): Promise<ErasedBatch>;
};
