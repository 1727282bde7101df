/** Runs commands. With an Idempotency-Key the effect happens once: the key is written in the effect's own transaction. */
import { randomUUID } from 'node:crypto';
import { flushCommits } from '../db/flush.ts';
import {
  checkNotErased,
  claimKey,
  claimKeyOrAbort,
  findKey,
  type IdempotencyKey,
  isKeyLockTimeout,
  type Repeat,
  releaseKey,
  stillInProgress,
  storeOutcome,
  type Vault,
  vaultOf,
} from '../db/idempotency.ts';
import { Aborted } from '../db/pipeline.ts';
import type { Statement, Tx } from '../db/sql.ts';
import { ServiceError } from '../shared/errors.ts';
import { asIs, type CommandSteps, Done, NoEffect, type PipelinedTransaction } from './command.ts';
import type { AppServices, Command, Steps } from './index.ts';

/** Also runs a transaction of statements known in advance, in one round trip: see `pipeline` in `command.ts`. */
export type CommandRunner = Steps<AppServices> & {
  pipeline(queue: string, statements: (tx: Tx) => Statement<object[]>[]): Promise<void>;
};

type RunOptions = {
  key?: IdempotencyKey | null;
  /** Whether to retry after this error, for example when another request took the name first. */
  retry?: ((error: unknown) => boolean) | undefined;
};

/** A key, and the vaults that encrypt the outcome stored under it. The ID makes the reference to a result unique. */
type Once<Result, Output> = {
  key: IdempotencyKey;
  outputs: Vault<Output>;
  results: Vault<[id: string, result: Result]>;
};

/** The committed outcome: the output, or a result that still needs `afterCommit`, with its reference in the database. */
type Committed<Result, Output> = { output: Done<Output> } | { result: Result; reference: string | null };

const MAX_TRIES = 10;

export async function runCommand<Input, Prepared, Result, Output>(
  ctx: CommandRunner,
  steps: CommandSteps<AppServices, Input, Prepared, Result, Output>,
  input: Input,
  { key = null, retry = () => false }: RunOptions = {},
): Promise<Output> {
  const { secretKey } = ctx.config;
  const once: Once<Result, Output> | null = key && {
    key,
    outputs: vaultOf(secretKey, key),
    results: vaultOf(secretKey, key),
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const previous = once && steps.prepare !== asIs ? await findCommitted(ctx, once) : null;
      const committed = previous ?? (await commit(ctx, steps, input, once).catch(unlessRepeated(ctx, once)));
      if (committed === null) continue;
      if ('output' in committed) return committed.output.output;
      return await finish(ctx, steps, committed, once);
    } catch (error) {
      if (attempt === MAX_TRIES || !retry(error)) throw error;
    }
  }
}

/** Handles the error of a repeated request: if the first request with its key has committed by now, returns that outcome. */
const unlessRepeated =
  <Result, Output>(ctx: Steps, once: Once<Result, Output> | null) =>
  async (error: unknown): Promise<Committed<Result, Output>> => {
    const first = once && error instanceof ServiceError ? await findCommitted(ctx, once) : null;
    if (first) return first;
    throw error;
  };

/** The outcome of a previous request with this key. Waits until a pipelined commit is on disk. */
async function findCommitted<Result, Output>(
  ctx: Steps,
  once: Once<Result, Output>,
): Promise<Committed<Result, Output> | null> {
  const { key } = once;
  if (!(await findKey(ctx.db, key))) return null;
  return ctx.transaction(async (tx) => {
    const found = await findKey(tx.db, key);
    await flushCommits(tx.db);
    return found && committedOf(found, once);
  });
}

/** Runs `prepare` and the transaction. Null if another request used the key in the meantime. */
async function commit<Input, Prepared, Result, Output>(
  ctx: CommandRunner,
  { prepare, execute, afterCommit }: CommandSteps<AppServices, Input, Prepared, Result, Output>,
  input: Input,
  once: Once<Result, Output> | null,
): Promise<Committed<Result, Output> | null> {
  const prepared = await prepare(ctx, input);
  if (prepared instanceof Done) return once ? transact(ctx, async () => prepared, once) : { output: prepared };
  if (typeof execute !== 'function') return sendPipeline(ctx, execute.plan(prepared), once);
  const work = async (tx: Command<AppServices>): Promise<Result | Done<Output>> => {
    const result = await execute(tx, prepared);
    return result instanceof Done || afterCommit !== asIs ? result : new Done(await afterCommit(ctx, result));
  };
  return transact(ctx, work, once);
}

const transact = <Result, Output>(
  ctx: Steps<AppServices>,
  work: (tx: Command<AppServices>) => Promise<Result | Done<Output>>,
  once: Once<Result, Output> | null,
): Promise<Committed<Result, Output>> =>
  ctx.transaction(async (tx) => {
    const claim = once ? await claimKey(tx.db, once.key) : 'new';
    if (once && claim !== 'new') return committedOf(claim, once);
    const outcome = outcomeOf(await work(tx), once);
    if (once) await storeOutcome(tx.db, once.key, outcome);
    return outcome.committed;
  });

async function sendPipeline<Result, Output>(
  ctx: CommandRunner,
  { queue, statements, result, refused }: PipelinedTransaction<Result | Done<Output>>,
  once: Once<Result, Output> | null,
): Promise<Committed<Result, Output> | null> {
  const outcome = outcomeOf(result, once);
  try {
    await ctx.pipeline(queue, (tx) => [...(once ? claimKeyOrAbort(tx, once.key, outcome) : []), ...statements(tx)]);
    return outcome.committed;
  } catch (error) {
    if (!(error instanceof Aborted)) throw isKeyLockTimeout(error) ? stillInProgress() : error;
    if (error.reason === 'REPEAT') return null;
    throw refused(error);
  }
}

/** The reference is unique for each commit, so that a request recognizes its own commit. */
function outcomeOf<Result, Output>(
  result: Result | Done<Output>,
  once: Once<Result, Output> | null,
): Repeat & { committed: Committed<Result, Output> } {
  if (result instanceof Done)
    return {
      answer: once?.outputs.seal(result.output) ?? null,
      reference: once && randomUUID(),
      committed: { output: result },
    };
  const reference = once?.results.seal([randomUUID(), result]) ?? null;
  return { answer: null, reference, committed: { result, reference } };
}

function committedOf<Result, Output>(
  { answer, reference }: Repeat,
  { outputs, results }: Once<Result, Output>,
): Committed<Result, Output> {
  checkNotErased(answer);
  return answer === null && reference !== null
    ? { result: results.open(reference)[1], reference }
    : { output: new Done(outputs.open(answer)) };
}

/** Among concurrent requests with the key, the first to store its response or release the key decides for all. */
async function finish<Result, Output>(
  ctx: Steps<AppServices>,
  { afterCommit }: Pick<CommandSteps<AppServices, never, never, Result, Output>, 'afterCommit'>,
  { result, reference }: { result: Result; reference: string | null },
  once: Once<Result, Output> | null,
): Promise<Output> {
  const end = await afterCommit(ctx, result).then(
    (output) => ({ output }),
    (error) => {
      if (error instanceof NoEffect) return error;
      throw error;
    },
  );
  if (once) {
    const { key, outputs } = once;
    const isFirst = await ctx.write((tx) =>
      end instanceof NoEffect
        ? releaseKey(tx, key, reference)
        : storeOutcome(tx, key, { answer: outputs.seal(end.output), reference }),
    );
    const first = isFirst ? null : await findCommitted(ctx, once);
    if (first && 'output' in first) return first.output.output;
  }
  if (end instanceof NoEffect) throw end.cause;
  return end.output;
}
