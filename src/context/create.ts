/** Creates contexts. Only this file has access to the connection pools. */
import type { BusinessConnections } from '../db/cluster/index.ts';
import type { Replica } from '../db/replica.ts';
import { createScans } from '../db/scan.ts';
import type { Db, Fragment, Statement, Tx } from '../db/sql.ts';
import type { EnqueueOptions, Jobs } from '../jobs/index.ts';
import type { Messages } from '../jobs/messages.ts';
import type { Mail } from '../providers/mail/port.ts';
import type { Sms } from '../providers/sms/port.ts';
import { type Cause, changesOf, type EventToWrite, type NewAccountEvent, type NewEvent } from '../shared/events.ts';
import { checkIfMatch, type Version } from '../shared/records/etag.ts';
import type { Caller } from '../shared/security/caller.ts';
import type { AppServices, Command, ComputedEvent, Platform, Query, Steps } from './index.ts';
import type { CommandRunner } from './run-command.ts';

type ContextOptions = {
  /** The connections for a business. An empty ID means no business. */
  connectionsFor: (businessId: string) => BusinessConnections;
  /** Null without a read replica. */
  replica?: Replica | null;
  jobs: Jobs;
  messages: Messages;
  events: EventWriter;
  platform: Platform;
  services: AppServices;
};

/** The origin of a context. `caller` is null in jobs and on public routes. */
export type Origin = {
  caller: Caller | null;
  businessId: string;
  address: string;
  acceptLanguage?: string | undefined;
  userAgent?: string | undefined;
  requestId?: string;
  ifMatch?: string | undefined;
  stepUp?: string | undefined;
  /** The position in the write-ahead log that the client has seen, or null. If undefined, reads never use the replica. */
  lsn?: string | null | undefined;
};

/** Writes events and wakes their consumers after the commit. */
export type EventWriter = {
  insertEvents(tx: Tx, cause: Cause, events: readonly EventToWrite[]): Statement<object[]>;
  insertEventsFrom(tx: Tx, businessId: string, cause: Cause, rows: Fragment): Statement<object[]>;
  insertEventWith(tx: Tx, businessId: string, cause: Cause, event: ComputedEvent): Statement<object[]>;
  eventCause(tx: Tx, cause: Cause): Fragment;
  insertAccountEvent(tx: Tx, cause: Cause, event: NewAccountEvent): Statement<object[]>;
  wake(businessId: string): void;
};

const NEVER = new AbortController().signal;

export function createContexts(options: ContextOptions) {
  const { connectionsFor, replica = null, jobs, messages, events, platform, services } = options;
  const scan = createScans();

  class Scope extends withMembers({ ...platform, ...services }) {
    protected readonly origin: Origin;
    readonly businessId: string;
    readonly now: number;
    readonly address: string;

    constructor(origin: Origin) {
      super();
      this.origin = origin;
      this.businessId = origin.businessId;
      this.address = origin.address;
      this.now = platform.clock.seconds();
    }

    get acceptLanguage(): string {
      return this.origin.acceptLanguage ?? '';
    }

    get userAgent(): string {
      return this.origin.userAgent ?? '';
    }

    get stepUp(): string {
      return this.origin.stepUp ?? '';
    }

    get lsn(): string | null | undefined {
      return this.origin.lsn;
    }

    get caller(): Caller {
      const { caller } = this.origin;
      if (caller === null) throw new Error('No caller: this is a job or a public route.');
      return caller;
    }

    eventsFrom(tx: Tx, rows: Fragment): Statement<object[]> {
      return events.insertEventsFrom(tx, this.businessId, this.cause, rows);
    }

    eventWith(tx: Tx, event: ComputedEvent): Statement<object[]> {
      return events.insertEventWith(tx, this.businessId, this.cause, event);
    }

    eventCause(tx: Tx): Fragment {
      return events.eventCause(tx, this.cause);
    }

    protected get cause(): Cause {
      const { caller, requestId = '' } = this.origin;
      return { caller, address: this.address, requestId, now: this.now };
    }

    protected originWithin(businessId: string, caller = this.origin.caller, requestId = this.origin.requestId): Origin {
      return { ...this.origin, businessId, caller, ...(requestId === undefined ? {} : { requestId }) };
    }
  }

  class ReadingScope extends Scope {
    get db(): Db {
      return connectionsFor(this.businessId).pool.db;
    }

    get quick(): Db {
      return connectionsFor(this.businessId).quick;
    }

    get replica(): Db {
      return replica && this.lsn !== undefined ? replica.db(this.lsn) : this.db;
    }

    get quickReplica(): Db {
      return replica && this.lsn !== undefined ? replica.db(this.lsn) : this.quick;
    }

    scan<T>(read: (db: Db) => Promise<T>): Promise<T> {
      const { lsn, businessId } = this;
      const pool = replica && lsn !== undefined ? replica.poolFor(lsn) : connectionsFor(businessId).pool;
      return scan(pool, businessId, read);
    }

    within(businessId: string, caller?: Caller): Query<AppServices> {
      return new ReadingScope(this.originWithin(businessId, caller));
    }
  }

  class CommandScope extends Scope {
    readonly db: Tx;
    /** Businesses with new events. */
    readonly emittedFor: Set<string>;

    constructor(origin: Origin, tx: Tx, emittedFor = new Set<string>()) {
      super(origin);
      this.db = tx;
      this.emittedFor = emittedFor;
    }

    checkVersion(version: Version): void {
      checkIfMatch(this.origin.ifMatch, version);
    }

    within(businessId: string, caller?: Caller): Command<AppServices> {
      return new CommandScope(this.originWithin(businessId, caller), this.db, this.emittedFor);
    }

    issue(statement: Statement<object[]>): void {
      // The COMMIT fails too, and the transaction throws this error.
      statement.execute().catch(() => {});
    }

    enqueue(queue: string, data: object, options?: EnqueueOptions): Promise<void> {
      return jobs.enqueue(this.db, this.businessId, queue, data, options);
    }

    emit(...emitted: NewEvent[]): void {
      const news = emitted.flatMap((event) => {
        const changes = event.before ? changesOf(event.before, event.data) : null;
        if (changes !== null && Object.keys(changes).length === 0) return [];
        return { ...event, businessId: event.businessId ?? this.businessId, changes };
      });
      for (const { businessId } of news) this.emittedFor.add(businessId);
      if (news.length > 0) this.issue(events.insertEvents(this.db, this.cause, news));
    }

    override eventsFrom(tx: Tx, rows: Fragment): Statement<object[]> {
      this.emittedFor.add(this.businessId);
      return super.eventsFrom(tx, rows);
    }

    override eventWith(tx: Tx, event: ComputedEvent): Statement<object[]> {
      this.emittedFor.add(this.businessId);
      return super.eventWith(tx, event);
    }

    override eventCause(tx: Tx): Fragment {
      this.emittedFor.add(this.businessId);
      return super.eventCause(tx);
    }

    emitAccount(event: NewAccountEvent): void {
      this.issue(events.insertAccountEvent(this.db, this.cause, event));
    }

    mail(mail: Mail, cause?: string): Promise<void> {
      return messages.mail(this.db, this.businessId, mail, cause);
    }

    sms(sms: Sms): Promise<void> {
      return messages.sms(this.db, this.businessId, sms);
    }

    dropMessages(recipients: readonly string[]): Promise<void> {
      return messages.drop(this.db, this.businessId, recipients);
    }

    publish(subject: string): Promise<void> {
      return platform.broadcast.publish(this.db, subject);
    }
  }

  class StepsScope extends ReadingScope {
    readonly signal: AbortSignal;
    /** True if a statement of this context may have emitted events. */
    #emits = false;

    constructor(origin: Origin, signal: AbortSignal) {
      super(origin);
      this.signal = signal;
    }

    async transaction<T>(work: (ctx: Command<AppServices>) => Promise<T>): Promise<T> {
      let emittedFor: ReadonlySet<string> | undefined;
      const result = await connectionsFor(this.businessId).pool.transaction((tx) => {
        const scope = new CommandScope(this.origin, tx);
        emittedFor = scope.emittedFor;
        return work(scope);
      });
      for (const businessId of emittedFor!) events.wake(businessId);
      return result;
    }

    override eventsFrom(tx: Tx, rows: Fragment): Statement<object[]> {
      this.#emits = true;
      return super.eventsFrom(tx, rows);
    }

    override eventWith(tx: Tx, event: ComputedEvent): Statement<object[]> {
      this.#emits = true;
      return super.eventWith(tx, event);
    }

    override eventCause(tx: Tx): Fragment {
      this.#emits = true;
      return super.eventCause(tx);
    }

    async write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T> {
      const result = await connectionsFor(this.businessId).pool.write(statement);
      if (this.#emits) events.wake(this.businessId);
      return result;
    }

    override within(businessId: string, caller?: Caller, requestId?: string): Steps<AppServices> {
      return steps(this.originWithin(businessId, caller, requestId), this.signal);
    }
  }

  class RunnerScope extends StepsScope {
    async pipeline(queue: string, statements: (tx: Tx) => Statement<object[]>[]): Promise<void> {
      await connectionsFor(this.businessId).pipeline(queue, statements);
      events.wake(this.businessId);
    }
  }

  const steps = (origin: Origin, signal: AbortSignal = NEVER): Steps<AppServices> => new StepsScope(origin, signal);

  return {
    query: (origin: Origin): Query<AppServices> => new ReadingScope(origin),
    steps,
    /** For `runCommand`. */
    runner: (origin: Origin, signal: AbortSignal = NEVER): CommandRunner => new RunnerScope(origin, signal),
    /** For background work. */
    system: (businessId = '', signal?: AbortSignal) => steps({ caller: null, businessId, address: '' }, signal),
  };
}

export type Contexts = ReturnType<typeof createContexts>;

/** A base class with these members. They are on its prototype, because every request creates a context. */
function withMembers<Members extends object>(members: Members): new () => Members {
  class Base {}
  Object.assign(Base.prototype, members);
  return Base as new () => Members;
}
