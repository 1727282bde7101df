/**
 * What a use case is handed first: who asks, when, and a handle on the database. The handle says what the use case may do.
 *
 * - A `Query` reads. Each of its statements takes a connection and gives it back.
 * - A `Command` is one transaction and holds its connection until it ends. It has no way to a second connection, and must
 *   not wait for anything but the database: no network, no hashing.
 * - `Steps` are work that also waits for something else: a provider, a hash, the mail server. It reads like a query and runs
 *   transactions one after the other; between them it holds no connection.
 *
 * `Services` are the stateful parts of domains (caches, keys, clients) that the use case needs; a domain's `context.ts` names them.
 */
import type { Config } from '../config.ts';
import type { Broadcast } from '../db/broadcast.ts';
import type { CallLimits } from '../db/call-limits.ts';
import type { Aborted } from '../db/one-trip.ts';
import type { Db, Fragment, Statement, Tx } from '../db/sql.ts';
import type { EnqueueOptions, Queue, RowQueue } from '../jobs/index.ts';
import type { Mail } from '../providers/mail/port.ts';
import type { Sms } from '../providers/sms/port.ts';
import type { Caller } from '../shared/caller.ts';
import type { Clock } from '../shared/clock.ts';
import type { Version } from '../shared/etag.ts';
import type { NewAccountEvent, NewEvent } from '../shared/events.ts';
import type { Logger } from '../shared/logger.ts';
import type { Origins } from '../shared/origins.ts';
import type { Cursors } from '../shared/paging.ts';

export { KEPT_REASONS, type Kept, type KeptReason, type Person, type PersonalDataHolder } from './personal-data.ts';

/** What every domain is built with: nothing of the database, nothing of another domain. */
export type Platform = Readonly<{
  config: Config;
  clock: Clock;
  log: Logger;
  cursors: Cursors;
  origins: Origins;
  broadcast: Broadcast;
  /** What this process has counted: use `spendLimit`. */
  callLimits: CallLimits;
  /** Known for sure only once the service listens. */
  publicUrl: () => string;
  /** Registers the handler of a queue. `ctx.businessId` is that of the job's data. */
  handleJobs<Data extends object, Services = unknown>(
    queue: Omit<Queue<Data>, 'handle'> & { handle: (ctx: Steps<Services>, data: Data) => Promise<void> },
  ): void;
  /** The same for jobs that are rows of the domain's own table. */
  handleDueRows<Data extends object, Services = unknown>(
    queue: Omit<RowQueue<Data>, 'handle'> & { handle: (ctx: Steps<Services>, row: Data) => Promise<void> },
  ): void;
}>;

export type EventSource = Readonly<{
  /**
   * A statement, or a part of one, that writes the events which these rows tell: `type`, `entity` and `data`, as text. For
   * what only the database knows, such as a number that it draws.
   */
  eventsFrom(tx: Tx, rows: Fragment): Statement<object[]>;
}>;

type Scope = Platform &
  EventSource &
  Readonly<{
    /** Who asks. Jobs and public routes have none: there, looking is an error. */
    caller: Caller;
    /** Of the path or the job; empty where there is none. */
    businessId: string;
    /** Unix seconds, the same throughout. */
    now: number;
    /** The network address that the request came from. */
    address: string;
  }>;

type Reads = Readonly<{
  db: Db;
  /** For statements that always take well under a millisecond, such as reads by key: they share few connections. */
  quick: Db;
}>;

export type Query<Services = unknown> = Scope & Reads & Services;

export type Command<Services = unknown> = Scope &
  Services &
  Readonly<{
    db: Tx;
    /**
     * Sends a statement whose answer nobody needs, without waiting for it: it travels with what follows, at the latest with the
     * COMMIT. If it fails, so does the transaction.
     */
    issue(statement: Statement<object[]>): void;
    /** Raises 412 when the request names another version in If-Match. */
    checkVersion(version: Version): void;
    /** A job that exists if this transaction commits. */
    enqueue(queue: string, data: object, options?: EnqueueOptions): Promise<void>;
    /**
     * Tells what happened, in this transaction and one statement: the source of feed, audit and webhooks. What is as it was
     * `before` is no news.
     */
    emit(...events: NewEvent[]): Promise<void>;
    /** The same of an account, which belongs to no business. */
    emitAccount(event: NewAccountEvent): Promise<void>;
    /** Mail and SMS leave after the commit. `cause`: one mail leaves for it, however often it is asked for within an hour. */
    mail(mail: Mail, cause?: string): Promise<void>;
    sms(sms: Sms): Promise<void>;
    /** Messages of this business to these addresses or numbers that wait, or could not be sent, are dropped. */
    dropMessages(recipients: readonly string[]): Promise<void>;
    /** Tells every process that what it has cached of this subject is outdated. */
    publish(subject: string): Promise<void>;
  }>;

export type Steps<Services = unknown> = Scope &
  Reads &
  Services &
  Readonly<{
    /** Set when the process is stopping: come to a safe point. */
    signal: AbortSignal;
    /** Everything in it is written, or nothing. A deadlock is tried again, so `work` must leave no other trace. */
    transaction<T>(work: (ctx: Command<Services>) => Promise<T>): Promise<T>;
    /** One statement that writes: a transaction of its own, in one round trip. */
    write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T>;
    /** A transaction whose statements are all known beforehand, in one round trip: see `db/one-trip.ts`. */
    oneTrip(queue: string, statements: (tx: Tx) => Statement<object[]>[]): Promise<void>;
    /** The same work for this business, and as this caller when one is named. */
    within(businessId: string, caller?: Caller): Steps<Services>;
  }>;

/** A record and its version, which is its ETag. */
export type Versioned<T> = { record: T; version: Version };

/** An answer that needs no step after the commit. */
export class Done<A> {
  readonly answer: A;

  constructor(answer: A) {
    this.answer = answer;
  }
}

export const done = <A>(answer: A): Done<A> => new Done(answer);

/**
 * A command in named steps. `prepare` reads, hashes, asks others. `execute` is the transaction. `afterCommit` asks others again:
 * it may run more than once for one result (a repeat with the same Idempotency-Key runs it again), so it must be safe to
 * repeat. What `execute` returns must be JSON, because a repeat gets it from the database.
 */
export type StepsOf<Services, Input, Prepared, Result, Answer> = {
  prepare?: (ctx: Steps<Services>, input: Input) => Promise<Prepared>;
  execute: (ctx: Command<Services>, input: Input, prepared: Prepared) => Promise<Result | Done<Answer>>;
  afterCommit?: (ctx: Steps<Services>, result: Result, input: Input) => Promise<Answer>;
};

/** The same with a transaction in one round trip instead of `execute`. */
export type TripOf<Services, Input, Prepared, Result, Answer> = {
  prepare: (ctx: Steps<Services>, input: Input) => Promise<Prepared>;
  trip: (prepared: Prepared, input: Input) => Trip<Result | Done<Answer>>;
  afterCommit: (ctx: Steps<Services>, result: Result, input: Input) => Promise<Answer>;
};

export type Trip<Result> = {
  /** Transactions of one queue follow each other on one connection. */
  queue: string;
  statements: (tx: Tx) => Statement<object[]>[];
  result: Result;
  /** What to raise when a statement aborted the transaction. */
  refused: (error: Aborted) => Error;
};

/** `afterCommit` raises this when nothing came of the command: the Idempotency-Key may then be used again. */
export class NothingDone extends Error {
  constructor(cause: unknown) {
    super('The command came to nothing.', { cause });
  }
}

/** Reads that see one moment, however long they take. For exports: see `db/snapshots.ts`. */
export type Snapshots = {
  read<T>(businessId: string, read: (db: Db) => AsyncIterable<T>): AsyncGenerator<T>;
};
