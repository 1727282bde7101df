/**
 * The context of a use case: the caller, the time, and a database handle that determines what the use case may do.
 *
 * - A `Query` reads. Each statement takes a connection and returns it.
 * - A `Command` is one transaction and keeps its connection until the end. It can't get a second connection, and must not wait for
 *   anything but the database: no network, no hashing.
 * - `Steps` also wait for other things: a provider, a hash, the mail server. They read like a query and run transactions one at a
 *   time, without a connection in between.
 *
 * `Services` are the stateful parts of domains (caches, keys, clients) that a use case needs. A domain's `context.ts` lists them; the
 * app's own contexts have all of them.
 */
import type { Config } from '../config.ts';
import type { Broadcast } from '../db/broadcast.ts';
import type { CallLimits } from '../db/call-limits.ts';
import type { Db, Fragment, Statement, Tx } from '../db/sql.ts';
import type { EnqueueOptions, JobQueue, LeasedBatches, RowQueue, TaskQueue } from '../jobs/index.ts';
import type { Mail } from '../providers/mail/port.ts';
import type { Sms } from '../providers/sms/port.ts';
import type { Clock } from '../shared/clock.ts';
import type { EventType, NewAccountEvent, NewEvent } from '../shared/events.ts';
import type { Logger } from '../shared/logger.ts';
import type { Cursors } from '../shared/paging.ts';
import type { Version } from '../shared/records/etag.ts';
import type { Caller } from '../shared/security/caller.ts';
import type { Origins } from '../shared/security/origins.ts';

/** The services of all domains. Each domain declares its own in its `service.ts`, and `services.ts` must provide all of them. */
// biome-ignore lint/suspicious/noEmptyInterface: the domains fill it, by declaration merging.
export interface AppServices {}

/** Passed to every domain when it is created. Gives no access to the database or to other domains. */
export type Platform = Readonly<{
  config: Config;
  clock: Clock;
  log: Logger;
  cursors: Cursors;
  origins: Origins;
  broadcast: Broadcast;
  /** Counters of this process. Use `consumeCallLimit`. */
  callLimits: CallLimits;
  /** Final only once the service listens. */
  publicUrl: () => string;
  /** Registers the handler of a job queue. Jobs belong to no business. */
  handleJobs<Data extends object>(
    queue: Omit<JobQueue<Data>, 'handle'> & { handle: (ctx: Steps<AppServices>, data: Data) => Promise<void> },
  ): void;
  /** The same for one-off work of a business: its tasks. `ctx.businessId` is the business of the task. */
  handleTasks<Data extends object>(
    queue: Omit<TaskQueue<Data>, 'handle'> & { handle: (ctx: Steps<AppServices>, data: Data) => Promise<void> },
  ): void;
  /** The same for due rows of the domain's own table. `ctx.publish('<name>:<businessId>')` wakes the workers at the commit. */
  handleDueRows<Data extends object>(
    queue: Omit<RowQueue<Data>, 'handle'> & { handle: (ctx: Steps<AppServices>, row: Data) => Promise<void> },
  ): void;
  /** The same for many small units, done in batches under a lease. `ctx.publish` wakes the workers as above. */
  handleBatches<Scope extends { businessId: string }>(
    batches: Omit<LeasedBatches<Scope>, 'list' | 'run'> & {
      list: (ctx: Steps<AppServices>, businessId: string | null, limit: number) => Promise<Scope[]>;
      run: (ctx: Steps<AppServices>, scope: Scope) => Promise<boolean>;
    },
  ): { wake(scope: Scope): void };
}>;

export type EventSource = Readonly<{
  /**
   * A statement, or part of one, that writes the events described by these rows: `type`, `entity` and `data` (jsonb). For events with
   * values that only the database knows, such as a sequence number.
   */
  eventsFrom(tx: Tx, rows: Fragment): Statement<object[]>;
  /** The same for one event whose `data` is an expression. On a cluster, much faster than `eventsFrom`. */
  eventWith(tx: Tx, event: ComputedEvent): Statement<object[]>;
  /** The actor, address and time of events: the last arguments of an SQL function that writes them. */
  eventCause(tx: Tx): Fragment;
}>;

export type ComputedEvent = { type: EventType; entity: string; data: Fragment };

type Scope = Platform &
  EventSource &
  Readonly<{
    /** Throws in jobs and on public routes, which have no caller. */
    caller: Caller;
    /** The business in the path or of the job. Empty if there is none. */
    businessId: string;
    /** Unix seconds, constant within a context. */
    now: number;
    /** The network address of the client. */
    address: string;
    /** The client's header. Empty in jobs. */
    acceptLanguage: string;
    /** The client's header. Empty in jobs. */
    userAgent: string;
    /** The client's step-up token. Empty without one. */
    stepUp: string;
    /** The position in the write-ahead log that the client has seen, or null. Undefined in jobs, which never use a read replica. */
    lsn: string | null | undefined;
  }>;

type Reads = Readonly<{
  db: Db;
  /** For statements that always take well under a millisecond, such as reads by key. They share a few connections. */
  quick: Db;
  /**
   * For lists, searches, counts and exports: a read replica, or `db` without one. At most a second old, but never older than the client's
   * last write. Don't base permission checks, writes or cached values on it.
   */
  replica: Db;
  /** The same, or `quick` without a replica. */
  quickReplica: Db;
  /**
   * For a statement that joins all rows of the business. It gets more memory and a time limit, and only a few run at once: throws 429 if
   * too many are running. Runs on the replica, like `replica`.
   */
  scan<T>(read: (db: Db) => Promise<T>): Promise<T>;
}>;

export type Query<Services = unknown> = Scope &
  Reads &
  Services &
  Readonly<{
    /** The same context for another business and, optionally, another caller. */
    within(businessId: string, caller?: Caller): Query<Services>;
  }>;

export type Command<Services = unknown> = Scope &
  Services &
  Readonly<{
    db: Tx;
    /**
     * Sends a statement without waiting for its result, together with the next statement or the COMMIT. If it fails, the transaction
     * fails.
     */
    issue(statement: Statement<object[]>): void;
    /** Throws 412 if If-Match names a different version. */
    checkVersion(version: Version): void;
    /** Enqueues work for after the commit: a task of the business, or a job if there is no business. */
    enqueue(queue: string, data: object, options?: EnqueueOptions): Promise<void>;
    /**
     * Writes events in this transaction, in one statement. They drive the event feed, the audit log and webhooks. An event whose data
     * equals `before` is dropped.
     */
    emit(...events: NewEvent[]): void;
    /** The same for an account event, which belongs to no business. */
    emitAccount(event: NewAccountEvent): void;
    /** Emails and SMS messages are sent after the commit. Only one email per `cause` is sent within an hour. */
    mail(mail: Mail, cause?: string): Promise<void>;
    sms(sms: Sms): Promise<void>;
    /** Drops queued and failed messages of this business to these addresses or numbers. */
    dropMessages(recipients: readonly string[]): Promise<void>;
    /** Invalidates this subject in the caches of all processes. */
    publish(subject: string): Promise<void>;
    /** The same transaction for another business and, optionally, another caller. */
    within(businessId: string, caller?: Caller): Command<Services>;
  }>;

export type Steps<Services = unknown> = Scope &
  Reads &
  Services &
  Readonly<{
    /** Aborted when the process is stopping, or the client of an upload disconnects. Stop at the next safe point. */
    signal: AbortSignal;
    /** Runs `work` in a transaction. Deadlocks are retried, so `work` must have no other side effects. */
    transaction<T>(work: (ctx: Command<Services>) => Promise<T>): Promise<T>;
    /** Runs one statement as a separate transaction, in one round trip. */
    write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T>;
    /**
     * The same context for another business and, optionally, another caller. `requestId`: the request ID recorded in this context's
     * events, such as an import ID.
     */
    within(businessId: string, caller?: Caller, requestId?: string): Steps<Services>;
  }>;

/** A record and its version, the source of its ETag. */
export type Versioned<T> = { record: T; version: Version };

/** Long reads of one consistent snapshot, for exports: see `db/snapshots.ts`. */
export type Snapshots = {
  /** `seen` is `ctx.lsn`. */
  read<T>(businessId: string, read: (db: Db) => AsyncIterable<T>, seen?: string | null): AsyncGenerator<T>;
};
