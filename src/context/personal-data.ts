/**
 * Personal data of a business's customers, subscribers and members. Each domain that stores personal data is a holder: it exports and erases its
 * part. `services.ts` passes all holders to `domains/privacy`, which runs them in turn.
 */
import type { TSchema } from 'typebox';
import type { Db } from '../db/sql.ts';
import type { Command, Query, Steps } from './index.ts';

/**
 * How a person is identified: by account, customer record and emails (in lower case). A record may have neither account nor email.
 * Records older than `since` have already been erased. Data that was kept then is still kept.
 */
export type Person = Readonly<{
  userId: string | null;
  customerId?: string | null;
  emails: readonly string[];
  since?: number;
}>;

/** Data that an erasure keeps, and the reason. */
export type Kept = { what: KeptData; count: number; reason: KeptReason };
export const KEPT_DATA = [
  'orders',
  'documents',
  'openOrders',
  'openPayments',
  'payments',
  'membership',
  'agreements',
  'suppressions',
] as const;
type KeptData = (typeof KEPT_DATA)[number];
export const KEPT_REASONS = [
  'ACCOUNTING',
  'TAX_LAW',
  'ORDER_OPEN',
  'PAYMENT_OPEN',
  'MEMBER',
  'PAYMENT_PROVIDER',
  'OBJECTION',
] as const;
type KeptReason = (typeof KEPT_REASONS)[number];

type ErasedBatch = {
  erased: number;
  kept?: Kept[];
  /** Records whose events contain personal data. It is erased from the events in the same transaction. */
  entities: string[];
  /** The start of the next batch. Null after the last one. */
  next: string | null;
};

export type PersonalDataHolder<Services = unknown> = {
  /** The name of the data in exports and reports. */
  name: string;
  /** A record in exports, which contain only its fields. It leaves out data about members, such as who handled an order. */
  record: TSchema;
  /** The person that this record is about. Null if the holder has no such record. */
  find?(db: Db, businessId: string, id: string): Promise<Person | null>;
  /** The businesses in which this holder has data about the person. */
  businessesOf(db: Db, businessIds: readonly string[], person: Person): Promise<string[]>;
  /** A page of the records. */
  list(
    ctx: Query<Services>,
    person: Person,
    after: string | null,
  ): Promise<{ items: readonly object[]; next: string | null }>;
  /** Notifies third parties before anything is erased. Idempotent. */
  prepare?(ctx: Steps<Services>, person: Person): Promise<Kept[]>;
  /** Erases one batch, in one transaction with the progress of the erasure. */
  erase(ctx: Command<Services>, person: Person, after: string | null): Promise<ErasedBatch>;
};
