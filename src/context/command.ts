/**
 * A use case that writes is either a function `(ctx: Command, input)`, which is one transaction, or a
 * `command({ prepare, execute, afterCommit })` if it also waits for something other than the database. A domain's `context.ts` exports `command` for its
 * services.
 */
import type { Aborted } from '../db/pipeline.ts';
import type { Statement, Tx } from '../db/sql.ts';
import type { Command, Steps } from './index.ts';

/**
 * A command in steps. `prepare` reads, hashes and calls providers. `execute` is the transaction. `afterCommit` calls providers again. It
 * must be idempotent, because a repeated Idempotency-Key runs it again, possibly concurrently. The result of
 * `execute` must be JSON, because a repeated request reads it from the database.
 */
export interface CommandSteps<Services, Input, Prepared, Result, Output> {
  readonly prepare: (ctx: Steps<Services>, input: Input) => Promise<Prepared | Done<Output>>;
  readonly execute: Execute<Services, Prepared, Result | Done<Output>>;
  readonly afterCommit: (ctx: Steps<Services>, result: Result) => Promise<Output>;
}

type Execute<Services, Prepared, Result> =
  | ((ctx: Command<Services>, prepared: Prepared) => Promise<Result>)
  | Pipelined<Prepared, Result>;

/** The response of a command that needs no later steps. */
export class Done<Output> {
  /** Makes the type nominal, because a result may have an `output` too. */
  protected readonly kind = 'done';
  readonly output: Output;

  constructor(output: Output) {
    this.output = output;
  }
}

export const done = <Output>(output: Output): Done<Output> => new Done(output);

/**
 * `afterCommit` throws this if the command turned out to have no effect. The Idempotency-Key can then be used again. It must
 * be decided in the database, so that concurrent requests with the key have the same result.
 */
export class NoEffect extends Error {
  constructor(cause: unknown) {
    super('The command had no effect.', { cause });
  }
}

class Pipelined<Prepared, Result> {
  readonly plan: (prepared: Prepared) => PipelinedTransaction<Result>;

  constructor(plan: (prepared: Prepared) => PipelinedTransaction<Result>) {
    this.plan = plan;
  }
}

export type PipelinedTransaction<Result> = {
  /** Transactions in the same queue run in order on one connection. */
  queue: string;
  statements: (tx: Tx) => Statement<object[]>[];
  result: Result;
  /** Maps an abort by one of the statements to the error to throw. */
  refused: (error: Aborted) => Error;
};

/** An `execute` whose statements are all known in advance. It runs in one round trip: see `db/pipeline.ts`. */
export const pipeline = <Prepared, Result>(plan: (prepared: Prepared) => PipelinedTransaction<Result>) =>
  new Pipelined(plan);

/** The default for omitted steps. */
export const asIs = async <T>(_ctx: unknown, value: T): Promise<T> => value;

/** Creates `command` for these services. Without `prepare`, `execute` gets the input. Without `afterCommit`, its result is the output. */
export function commandFor<Services>() {
  type Prepare<Input, Prepared, Output> = (ctx: Steps<Services>, input: Input) => Promise<Prepared | Done<Output>>;
  type AfterCommit<Result, Output> = (ctx: Steps<Services>, result: Result) => Promise<Output>;

  function command<Input, Prepared, Result, Output>(steps: {
    prepare: Prepare<Input, Prepared, Output>;
    execute: Execute<Services, Prepared, Result | Done<Output>>;
    afterCommit: AfterCommit<Result, Output>;
  }): CommandSteps<Services, Input, Prepared, Result, Output>;
  function command<Input, Prepared, Output>(steps: {
    prepare: Prepare<Input, Prepared, Output>;
    execute: Execute<Services, Prepared, Output>;
  }): CommandSteps<Services, Input, Prepared, Output, Output>;
  function command<Input, Result, Output>(steps: {
    execute: Execute<Services, Input, Result | Done<Output>>;
    afterCommit: AfterCommit<Result, Output>;
  }): CommandSteps<Services, Input, Input, Result, Output>;
  function command<Input, Output>(steps: {
    execute: Execute<Services, Input, Output>;
  }): CommandSteps<Services, Input, Input, Output, Output>;
  function command(steps: { execute: Execute<Services, unknown, unknown> }): object {
    return { prepare: asIs, afterCommit: asIs, ...steps };
  }
  return command;
}
