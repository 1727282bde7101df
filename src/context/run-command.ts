/** Runs commands. With an Idempotency-Key the effect happens once: the key is written in the effect's own transaction. */
import { randomUUID } from 'node:crypto';
import {
  checkNotErased,
  claimKey,
  claimKeyOrAbort,
  findKey,
  type IdempotencyKey,
  isWaitForKey,
  type Repeat,
  releaseKey,
  stillInProgress,
  storeOutcome,
  type Vault,
  vaultOf,
} from '../db/idempotency.ts';
import { Aborted, flushCommits } from '../db/pipeline.ts';
import { asIs, type CommandSteps, Done, NothingDone, type PipelinedTransaction } from './command.ts';
import type { AppServices, Command, Steps } from './index.ts';

type RunOptions = {
  key?: IdempotencyKey | null;
  /** Errors after which the command is retried, such as a name that another request took first. */
  retry?: ((error: unknown) => boolean) | undefined;
};

/** A key, and the vault that encrypts the outcome stored under it. */
type Once = { key: IdempotencyKey; vault: Vault };

/** The committed outcome: the answer, or a result that still needs `afterCommit`, with its reference in the database. */
type Committed<Result, Answer> = { answer: Done<Answer> } | { result: Result; reference: string | null };

const MAX_TRIES = 10;

export async function runCommand<Input, Prepared, Result, Answer>(
  ctx: Steps<AppServices>,
  steps: CommandSteps<AppServices, Input, Prepared, Result, Answer>,
  input: Input,
  { key = null, retry = () => false }: RunOptions = {},
): Promise<Answer> {
  const once = key && { key, vault: vaultOf(ctx.config.secretKey, key) };
  for (let attempt = 1; ; attempt++) {
    try {
      const previous = once && steps.prepare !== asIs ? await findCommitted<Result, Answer>(ctx, once) : null;
      const committed = previous ?? (await commit(ctx, steps, input, once));
      if (committed === null) continue;
      if ('answer' in committed) return committed.answer.answer;
      return await finish(ctx, steps, committed, once);
    } catch (error) {
      if (attempt === MAX_TRIES || !retry(error)) throw error;
    }
  }
}

/** The outcome of a previous request with this key. Waits until a pipelined commit is on disk. */
async function findCommitted<Result, Answer>(
  ctx: Steps,
  { key, vault }: Once,
): Promise<Committed<Result, Answer> | null> {
  if (!(await findKey(ctx.db, key))) return null;
  return ctx.transaction(async (tx) => {
    const found = await findKey(tx.db, key);
    await flushCommits(tx.db);
    return found && committedOf<Result, Answer>(found, vault);
  });
}

/** Runs `prepare` and the transaction. Null if another request used the key in the meantime. */
async function commit<Input, Prepared, Result, Answer>(
  ctx: Steps<AppServices>,
  { prepare, execute, afterCommit }: CommandSteps<AppServices, Input, Prepared, Result, Answer>,
  input: Input,
  once: Once | null,
): Promise<Committed<Result, Answer> | null> {
  const prepared = await prepare(ctx, input);
  if (prepared instanceof Done)
    return once ? transact<Result, Answer>(ctx, async () => prepared, once) : { answer: prepared };
  if (typeof execute !== 'function') return sendPipeline(ctx, execute.plan(prepared), once);
  const work = async (tx: Command<AppServices>): Promise<Result | Done<Answer>> => {
    const result = await execute(tx, prepared);
    return result instanceof Done || afterCommit !== asIs ? result : new Done(await afterCommit(ctx, result));
  };
  return transact(ctx, work, once);
}

const transact = <Result, Answer>(
  ctx: Steps<AppServices>,
  work: (tx: Command<AppServices>) => Promise<Result | Done<Answer>>,
  once: Once | null,
): Promise<Committed<Result, Answer>> =>
  ctx.transaction(async (tx) => {
    const claim = once ? await claimKey(tx.db, once.key) : 'new';
    if (claim !== 'new') return committedOf(claim, once!.vault);
    const outcome = outcomeOf(await work(tx), once);
    if (once) await storeOutcome(tx.db, once.key, outcome);
    return outcome.committed;
  });

async function sendPipeline<Result, Answer>(
  ctx: Steps<AppServices>,
  { queue, statements, result, refused }: PipelinedTransaction<Result | Done<Answer>>,
  once: Once | null,
): Promise<Committed<Result, Answer> | null> {
  const outcome = outcomeOf(result, once);
  try {
    await ctx.pipeline(queue, (tx) => [...(once ? claimKeyOrAbort(tx, once.key, outcome) : []), ...statements(tx)]);
    return outcome.committed;
  } catch (error) {
    if (!(error instanceof Aborted)) throw isWaitForKey(error) ? stillInProgress() : error;
    if (error.reason === 'REPEAT') return null;
    throw refused(error);
  }
}

/** The reference is unique for each commit, so that each recognizes its own. */
function outcomeOf<Result, Answer>(
  result: Result | Done<Answer>,
  once: Once | null,
): Repeat & { committed: Committed<Result, Answer> } {
  const reference = once?.vault.seal([randomUUID(), result instanceof Done ? null : result]) ?? null;
  return result instanceof Done
    ? { answer: once?.vault.seal(result.answer) ?? null, reference, committed: { answer: result } }
    : { answer: null, reference, committed: { result, reference } };
}

function committedOf<Result, Answer>({ answer, reference }: Repeat, vault: Vault): Committed<Result, Answer> {
  checkNotErased(answer);
  return answer === null && reference !== null
    ? { result: (vault.open(reference) as [string, Result])[1], reference }
    : { answer: new Done(vault.open(answer) as Answer) };
}

async function finish<Result, Answer>(
  ctx: Steps<AppServices>,
  { afterCommit }: Pick<CommandSteps<AppServices, never, never, Result, Answer>, 'afterCommit'>,
  { result, reference }: { result: Result; reference: string | null },
  once: Once | null,
): Promise<Answer> {
  try {
    const answer = await afterCommit(ctx, result);
    if (once) await ctx.write((tx) => storeOutcome(tx, once.key, { answer: once.vault.seal(answer), reference }));
    return answer;
  } catch (error) {
    if (!(error instanceof NothingDone)) throw error;
    if (once) await ctx.write((tx) => releaseKey(tx, once.key, reference ?? ''));
    throw error.cause;
  }
}
