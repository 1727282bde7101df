/** Makes contexts. Knows the pools, so that nobody above has to. */
import type { OneTrip } from '../db/one-trip.ts';
import type { Pool } from '../db/pool.ts';
import type { Db, Fragment, Statement, Tx } from '../db/sql.ts';
import type { EnqueueOptions, Jobs } from '../jobs/index.ts';
import type { Messages } from '../jobs/messages.ts';
import type { Mail } from '../providers/mail/port.ts';
import type { Sms } from '../providers/sms/port.ts';
import type { Caller } from '../shared/caller.ts';
import { checkIfMatch, type Version } from '../shared/etag.ts';
import { type Cause, changesOf, type EventToWrite, type NewAccountEvent, type NewEvent } from '../shared/events.ts';
import type { Command, Platform, Query, Steps } from './index.ts';

type ContextOptions = {
  pool: Pool;
  quick: Db;
  oneTrip: OneTrip;
  jobs: Jobs;
  messages: Messages;
  events: EventWriter;
  platform: Omit<Platform, 'handleJobs' | 'handleDueRows'>;
};

/** Who and what a context is for. `caller` null: nobody, such as in a job. */
export type Origin = {
  caller: Caller | null;
  businessId: string;
  address: string;
  requestId?: string;
  ifMatch?: string | undefined;
};

/** How events are written, and who is told after the commit. */
export type EventWriter = {
  insertEvents(tx: Tx, cause: Cause, events: readonly EventToWrite[]): Statement<object[]>;
  insertEventsFrom(tx: Tx, businessId: string, cause: Cause, rows: Fragment): Statement<object[]>;
  insertAccountEvent(tx: Tx, cause: Cause, event: NewAccountEvent): Statement<object[]>;
  wake(businessId: string): void;
};

const NEVER = new AbortController().signal;

export function createContexts(options: ContextOptions) {
  const { pool, quick, oneTrip, jobs, messages, events, platform: given } = options;
  const platform: Platform = {
    ...given,
    handleJobs({ handle, ...queue }) {
      jobs.register({ ...queue, handle: asHandler(handle as never) });
    },
    handleDueRows({ handle, ...queue }) {
      jobs.registerRows({ ...queue, handle: asHandler(handle as never) }, platform.clock.seconds);
    },
  };

  const asHandler = (handle: (ctx: Steps, data: object) => Promise<void>) => (data: object, signal: AbortSignal) => {
    const { businessId = '' } = data as { businessId?: string };
    return handle(steps({ caller: null, businessId, address: '' }, signal), data);
  };

  class Scope {
    readonly #caller: Caller | null;
    readonly #requestId: string;
    readonly businessId: string;
    readonly now: number;
    readonly address: string;

    constructor({ caller, businessId, address, requestId = '' }: Origin) {
      this.#caller = caller;
      this.#requestId = requestId;
      this.businessId = businessId;
      this.address = address;
      this.now = platform.clock.seconds();
    }

    get caller(): Caller {
      if (this.#caller === null) throw new Error('There is no caller here: this is a job or a public route.');
      return this.#caller;
    }

    eventsFrom(tx: Tx, rows: Fragment): Statement<object[]> {
      return events.insertEventsFrom(tx, this.businessId, this.cause, rows);
    }

    protected get cause(): Cause {
      return { caller: this.#caller, address: this.address, requestId: this.#requestId, now: this.now };
    }
  }

  class ReadingScope extends Scope {}

  class CommandScope extends Scope {
    readonly db: Tx;
    readonly #ifMatch: string | undefined;
    /** Businesses with new events. */
    readonly emittedFor = new Set<string>();

    constructor(origin: Origin, tx: Tx) {
      super(origin);
      this.db = tx;
      this.#ifMatch = origin.ifMatch;
    }

    checkVersion(version: Version): void {
      checkIfMatch(this.#ifMatch, version);
    }

    issue(statement: Statement<object[]>): void {
      // The COMMIT finds out, and the transaction raises this error.
      statement.execute().catch(() => {});
    }

    enqueue(queue: string, data: object, options?: EnqueueOptions): Promise<void> {
      return jobs.enqueue(this.db, queue, data, options);
    }

    async emit(...told: NewEvent[]): Promise<void> {
      const news = told.flatMap((event) => {
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

    async emitAccount(event: NewAccountEvent): Promise<void> {
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
    readonly #origin: Origin;
    /** A statement of this context may have told something. */
    #tells = false;

    constructor(origin: Origin, signal: AbortSignal) {
      super(origin);
      this.#origin = origin;
      this.signal = signal;
    }

    async transaction<T>(work: (ctx: Command) => Promise<T>): Promise<T> {
      let emittedFor: ReadonlySet<string> | undefined;
      const result = await pool.transaction((tx) => {
        const scope = new CommandScope(this.#origin, tx);
        emittedFor = scope.emittedFor;
        return work(scope as unknown as Command);
      });
      for (const businessId of emittedFor!) events.wake(businessId);
      return result;
    }

    override eventsFrom(tx: Tx, rows: Fragment): Statement<object[]> {
      this.#tells = true;
      return super.eventsFrom(tx, rows);
    }

    async write<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T> {
      const result = await pool.write(statement);
      if (this.#tells) events.wake(this.businessId);
      return result;
    }

    async oneTrip(queue: string, statements: (tx: Tx) => Statement<object[]>[]): Promise<void> {
      await oneTrip(queue, statements);
      events.wake(this.businessId);
    }

    within(businessId: string, caller = this.#origin.caller): Steps {
      return steps({ ...this.#origin, businessId, caller }, this.signal);
    }
  }

  // What is the same for all stands on the prototypes: a context is made for every request.
  Object.assign(Scope.prototype, platform);
  Object.assign(ReadingScope.prototype, { db: pool.db, quick });

  const steps = (origin: Origin, signal: AbortSignal = NEVER) => new StepsScope(origin, signal) as unknown as Steps;

  return {
    platform,
    /** Makes the services of the domains a part of every context. */
    provide: (services: object) => void Object.assign(Scope.prototype, services),
    query: (origin: Origin) => new ReadingScope(origin) as unknown as Query,
    steps,
    /** For what the service does by itself. */
    system: () => steps({ caller: null, businessId: '', address: '' }),
  };
}

export type Contexts = ReturnType<typeof createContexts>;
