/** Makes contexts. Knows the pools, so that nobody above has to. */
import type { OneTrip } from '../db/one-trip.ts';
import type { Pool } from '../db/pool.ts';
import type { Db, Tx } from '../db/sql.ts';
import type { EnqueueOptions, Jobs } from '../jobs/index.ts';
import type { Messages } from '../jobs/messages.ts';
import type { Mail } from '../providers/mail/port.ts';
import type { Sms } from '../providers/sms/port.ts';
import type { Caller } from '../shared/caller.ts';
import { checkIfMatch, type Version } from '../shared/etag.ts';
import type { Command, Platform, Query, Steps } from './index.ts';

export type ContextOptions = {
  pool: Pool;
  quick: Db;
  oneTrip: OneTrip;
  jobs: Jobs;
  messages: Messages;
  platform: Omit<Platform, 'handleJobs'>;
};

/** Who and what a context is for. `caller` null: nobody, such as in a job. */
export type Origin = { caller: Caller | null; businessId: string; address: string; ifMatch?: string | undefined };

const NEVER = new AbortController().signal;

export function createContexts({ pool, quick, oneTrip, jobs, messages, platform: given }: ContextOptions) {
  const platform: Platform = {
    ...given,
    handleJobs(queue) {
      const { handle, ...rest } = queue;
      jobs.register({
        ...rest,
        handle: (data, signal) => {
          const { businessId = '' } = data as { businessId?: string };
          return handle(steps({ caller: null, businessId, address: '' }, signal) as never, data as never);
        },
      });
    },
  };

  class Scope {
    readonly #caller: Caller | null;
    readonly businessId: string;
    readonly now: number;
    readonly address: string;

    constructor({ caller, businessId, address }: Origin) {
      this.#caller = caller;
      this.businessId = businessId;
      this.address = address;
      this.now = platform.clock.seconds();
    }

    get caller(): Caller {
      if (this.#caller === null) throw new Error('There is no caller here: this is a job or a public route.');
      return this.#caller;
    }
  }

  class ReadingScope extends Scope {}

  class CommandScope extends Scope {
    readonly db: Tx;
    readonly #ifMatch: string | undefined;

    constructor(origin: Origin, tx: Tx) {
      super(origin);
      this.db = tx;
      this.#ifMatch = origin.ifMatch;
    }

    checkVersion(version: Version): void {
      checkIfMatch(this.#ifMatch, version);
    }

    enqueue(queue: string, data: object, options?: EnqueueOptions): Promise<void> {
      return jobs.enqueue(this.db, queue, data, options);
    }

    mail(mail: Mail): Promise<void> {
      return messages.mail(this.db, mail);
    }

    sms(sms: Sms): Promise<void> {
      return messages.sms(this.db, sms);
    }

    publish(subject: string): Promise<void> {
      return platform.broadcast.publish(this.db, subject);
    }
  }

  class StepsScope extends ReadingScope {
    readonly signal: AbortSignal;
    readonly #origin: Origin;

    constructor(origin: Origin, signal: AbortSignal) {
      super(origin);
      this.#origin = origin;
      this.signal = signal;
    }

    transaction<T>(work: (ctx: Command) => Promise<T>): Promise<T> {
      return pool.transaction((tx) => work(new CommandScope(this.#origin, tx) as unknown as Command));
    }

    within(businessId: string, caller = this.#origin.caller): Steps {
      return steps({ ...this.#origin, businessId, caller }, this.signal);
    }
  }

  // What is the same for all stands on the prototypes: a context is made for every request.
  Object.assign(Scope.prototype, platform);
  Object.assign(ReadingScope.prototype, { db: pool.db, quick });
  Object.assign(StepsScope.prototype, { write: pool.write, prepareJob: jobs.prepare, oneTrip });

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
