/** From a request to a use case and back: one place for transactions, Idempotency-Key, If-Match and ETag. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contexts, Origin } from '../context/create.ts';
import {
  type Command,
  Done,
  NothingDone,
  type Query,
  type Steps,
  type StepsOf,
  type TripOf,
  type Versioned,
} from '../context/index.ts';
import {
  checkNotErased,
  claimKey,
  claimKeyOrAbort,
  findKey,
  type IdempotencyKey,
  type Repeat,
  releaseKey,
  storeOutcome,
  tooLong,
  type Vault,
  vaultOf,
} from '../db/idempotency.ts';
import { Aborted, flushCommits } from '../db/one-trip.ts';
import { etagOf } from '../shared/etag.ts';
import { idempotencyKey } from './idempotency.ts';

declare module 'fastify' {
  interface FastifyInstance {
    contexts: Contexts;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever Fastify makes of the route's schema.
type AnyRequest = FastifyRequest<any, any, any, any, any, any, any>;

/** Runs a use case that only reads. */
export const query = <Services, Input, Answer>(
  request: AnyRequest,
  useCase: (ctx: Query<Services>, input: Input) => Promise<Answer>,
  input: Input,
): Promise<Answer> => useCase(contextsOf(request).query(originOf(request)) as Query<Services>, input);

/** The same for a single record, which has an ETag. */
export async function readOne<Services, Input, T>(
  request: AnyRequest,
  reply: FastifyReply,
  useCase: (ctx: Query<Services>, input: Input) => Promise<Versioned<T>>,
  input: Input,
): Promise<T> {
  return withEtag(reply, await query(request, useCase, input));
}

type CommandOptions = {
  /** Errors after which the transaction is tried again, such as a name that somebody else took meanwhile. */
  retry?: (error: unknown) => boolean;
};

const MAX_TRIES = 10;

/**
 * Runs a use case that changes something: one transaction, or named steps around it. With an Idempotency-Key the effect
 * happens once, and the key is written in the effect's own transaction.
 */
export function command<Services, Input, Prepared, Result, Answer>(
  request: AnyRequest,
  useCase:
    | ((ctx: Command<Services>, input: Input) => Promise<Answer>)
    | StepsOf<Services, Input, Prepared, Result, Answer>
    | TripOf<Services, Input, Prepared, Result, Answer>,
  input: Input,
  { retry }: CommandOptions = {},
): Promise<Answer> {
  const steps = (typeof useCase === 'function' ? { execute: useCase } : useCase) as AnySteps<Services, Input, Answer>;
  const ctx = stepsOf<Services>(request);
  return run(ctx, steps, input, idempotencyKey(request, ctx.now), retry);
}

/** Runs work in steps that needs no transaction, such as a quote. With an Idempotency-Key a repeat gets the first answer. */
export function perform<Services, Input, Answer>(
  request: AnyRequest,
  work: (ctx: Steps<Services>, input: Input) => Promise<Answer>,
  input: Input,
): Promise<Answer> {
  const ctx = stepsOf<Services>(request);
  const key = idempotencyKey(request, ctx.now);
  if (key === null) return work(ctx, input);
  return run(ctx, { prepare: work, execute: async (_ctx, _input, answer) => new Done(answer) }, input, key);
}

/** A command on one record: answers with its new ETag. */
export async function change<Services, Input, T>(
  request: AnyRequest,
  reply: FastifyReply,
  useCase:
    | ((ctx: Command<Services>, input: Input) => Promise<Versioned<T>>)
    // biome-ignore lint/suspicious/noExplicitAny: what its steps hand on is their own affair.
    | StepsOf<Services, Input, any, any, Versioned<T>>,
  input: Input,
  options: CommandOptions = {},
): Promise<T> {
  return withEtag(reply, await command(request, useCase, input, options));
}

/** A context for work in steps that is not a command, such as a page. */
export const stepsOf = <Services>(request: AnyRequest) =>
  contextsOf(request).steps(originOf(request)) as Steps<Services>;

type AnySteps<Services, Input, Answer> = {
  prepare?: (ctx: Steps<Services>, input: Input) => Promise<unknown>;
  execute?: (ctx: Command<Services>, input: Input, prepared: unknown) => Promise<unknown>;
  trip?: TripOf<Services, Input, unknown, unknown, Answer>['trip'];
  afterCommit?: (ctx: Steps<Services>, result: unknown, input: Input) => Promise<Answer>;
};

/** A key, and what seals what is stored under it. */
type Once = { key: IdempotencyKey; vault: Vault };

/** What was committed: the answer, or a result that still needs its last step; and how the database names it. */
type Committed = { answer: Done<unknown> } | { result: unknown; reference: string | null };

async function run<Services, Input, Answer>(
  ctx: Steps<Services>,
  steps: AnySteps<Services, Input, Answer>,
  input: Input,
  key: IdempotencyKey | null,
  retry: (error: unknown) => boolean = () => false,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      const once = key && { key, vault: vaultOf(ctx.config.secretKey, key) };
      const former = once && steps.prepare ? await findFormer(ctx, once) : null;
      const committed = former ?? (await commit(ctx, steps, input, once));
      if (committed === null) continue;
      if ('answer' in committed) return committed.answer.answer as Answer;
      return await finish(ctx, steps.afterCommit!, committed, input, once);
    } catch (error) {
      if (attempt === MAX_TRIES || !retry(error)) throw error;
    }
  }
}

/** What a request with this key committed before. A commit in one round trip may not be on the disk yet: then it is waited for. */
async function findFormer(ctx: Steps, { key, vault }: Once): Promise<Committed | null> {
  if (!(await findKey(ctx.db, key))) return null;
  return ctx.transaction(async (tx) => {
    const former = await findKey(tx.db, key);
    await flushCommits(tx.db);
    return former && committedOf(former, vault);
  });
}

/** `prepare` and the transaction. Null: the key was used by another request meanwhile. */
async function commit<Services, Input, Answer>(
  ctx: Steps<Services>,
  { prepare, execute, trip, afterCommit }: AnySteps<Services, Input, Answer>,
  input: Input,
  once: Once | null,
): Promise<Committed | null> {
  const prepared = await prepare?.(ctx, input);
  if (!trip) {
    return ctx.transaction(async (tx) => {
      const claim = once ? await claimKey(tx.db, once.key) : 'new';
      if (claim !== 'new') return committedOf(claim, once!.vault);
      const result = await execute!(tx, input, prepared);
      const outcome = outcomeOf(afterCommit || result instanceof Done ? result : new Done(result), once);
      if (once) await storeOutcome(tx.db, once.key, outcome);
      return outcome.committed;
    });
  }
  const { queue, statements, result, refused } = trip(prepared, input);
  const outcome = outcomeOf(result, once);
  try {
    await ctx.oneTrip(queue, (tx) => [...(once ? claimKeyOrAbort(tx, once.key, outcome) : []), ...statements(tx)]);
    return outcome.committed;
  } catch (error) {
    if (!(error instanceof Aborted)) return tooLong(error);
    if (error.reason === 'REPEAT') return null;
    throw refused(error);
  }
}

/** The reference is never the same for two commits, so that each knows its own. */
function outcomeOf(result: unknown, once: Once | null): Repeat & { committed: Committed } {
  const reference = once?.vault.seal([randomUUID(), result instanceof Done ? null : result]) ?? null;
  return result instanceof Done
    ? { answer: once?.vault.seal(result.answer) ?? null, reference, committed: { answer: result } }
    : { answer: null, reference, committed: { result, reference } };
}

function committedOf({ answer, reference }: Repeat, vault: Vault): Committed {
  checkNotErased(answer);
  return answer === null && reference !== null
    ? { result: (vault.open(reference) as unknown[])[1], reference }
    : { answer: new Done(vault.open(answer)) };
}

async function finish<Services, Input, Answer>(
  ctx: Steps<Services>,
  afterCommit: (ctx: Steps<Services>, result: unknown, input: Input) => Promise<Answer>,
  { result, reference }: { result: unknown; reference: string | null },
  input: Input,
  once: Once | null,
): Promise<Answer> {
  try {
    const answer = await afterCommit(ctx, result, input);
    if (once) await ctx.write((tx) => storeOutcome(tx, once.key, { answer: once.vault.seal(answer), reference }));
    return answer;
  } catch (error) {
    if (!(error instanceof NothingDone)) throw error;
    if (once) await ctx.write((tx) => releaseKey(tx, once.key, reference ?? ''));
    throw error.cause;
  }
}

const contextsOf = (request: AnyRequest) => request.server.contexts;

function originOf(request: AnyRequest): Origin {
  const { businessId = '' } = request.params as { businessId?: string };
  return {
    caller: request.caller ?? null,
    businessId,
    address: request.ip,
    requestId: request.id,
    ifMatch: request.headers['if-match'],
  };
}

function withEtag<T>(reply: FastifyReply, { record, version }: Versioned<T>): T {
  reply.header('etag', etagOf(version));
  return record;
}
