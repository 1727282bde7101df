/** Runs use cases for requests. The only place that handles transactions, Idempotency-Key, If-Match and ETag. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asIs, type CommandSteps, commandFor, done } from '../context/command.ts';
import type { Contexts, Origin } from '../context/create.ts';
import type { AppServices, Command, Query, Steps, Versioned } from '../context/index.ts';
import { runCommand } from '../context/run-command.ts';
import { etagOf } from '../shared/records/etag.ts';
import { businessIdOf, requireAccess } from './access.ts';
import type { CheckItem } from './bodies/bulk.ts';
import { describeError } from './errors.ts';
import { idempotencyKey } from './idempotency.ts';
import { positionOf } from './read-position.ts';

declare module 'fastify' {
  interface FastifyInstance {
    contexts: Contexts;
  }
}

const inSteps = commandFor<AppServices>();

type QueryUseCase<Input, Output> = (ctx: Query<AppServices>, input: Input) => Promise<Output>;

/** Runs a use case that only reads. */
export const query = <Input, Output>(
  request: FastifyRequest,
  useCase: QueryUseCase<Input, Output>,
  input: Input,
): Promise<Output> => useCase(contextsOf(request).query(originOf(request)), input);

/** Runs a read-only use case for a POST. With an Idempotency-Key, a retry returns the first response. */
export const queryOnce = <Input, Output>(
  request: FastifyRequest,
  useCase: QueryUseCase<Input, Output>,
  input: Input,
): Promise<Output> => {
  const prepare = async (ctx: Query<AppServices>, sent: Input) => done(await useCase(ctx, sent));
  return command(request, inSteps({ prepare, execute: asIs<Output> }), input);
};

/** Runs a use case that reads a single record, and sets its ETag. */
export async function readOne<Input, T>(
  request: FastifyRequest,
  reply: FastifyReply,
  useCase: QueryUseCase<Input, Versioned<T>>,
  input: Input,
): Promise<T> {
  return withEtag(reply, await query(request, useCase, input));
}

/** The same for a record without a version: its ETag is a hash of the record. */
export async function readUnversioned<Input, T>(
  request: FastifyRequest,
  reply: FastifyReply,
  useCase: QueryUseCase<Input, T>,
  input: Input,
): Promise<T> {
  const record = await query(request, useCase, input);
  return withEtag(reply, { record, version: hash('sha256', JSON.stringify(record), 'base64url').slice(0, 22) });
}

type CommandUseCase<Input, Prepared, Result, Output> =
  | ((ctx: Command<AppServices>, input: Input) => Promise<Output>)
  | CommandSteps<AppServices, Input, Prepared, Result, Output>;

type CommandOptions = {
  /** Whether to retry after this error, for example when a concurrent request took the name. */
  retry?: (error: unknown) => boolean;
  /** The `signal` of the context. */
  signal?: AbortSignal;
};

/** Runs a use case that writes: one transaction, or steps around it. With an Idempotency-Key, it takes effect once. */
export function command<Input, Prepared, Result, Output>(
  request: FastifyRequest,
  useCase: CommandUseCase<Input, Prepared, Result, Output>,
  input: Input,
  { retry, signal }: CommandOptions = {},
): Promise<Output> {
  const ctx = contextsOf(request).runner(originOf(request), signal);
  const options = { key: idempotencyKey(request, ctx.now), retry };
  if (typeof useCase === 'function') return runCommand(ctx, inSteps({ execute: useCase }), input, options);
  return runCommand(ctx, recheckingAccess(request, useCase), input, options);
}

/** Checks access again after `prepare`, which can wait for other servers while the caller loses access. */
function recheckingAccess<Input, Prepared, Result, Output>(
  request: FastifyRequest,
  steps: CommandSteps<AppServices, Input, Prepared, Result, Output>,
): CommandSteps<AppServices, Input, Prepared, Result, Output> {
  if (steps.prepare === asIs) return steps;
  return {
    ...steps,
    async prepare(ctx, input) {
      const prepared = await steps.prepare(ctx, input);
      await requireAccess(request);
      return prepared;
    },
  };
}

/** Runs a command on a single record and sets its new ETag. */
export async function change<Input, Prepared, Result, T>(
  request: FastifyRequest,
  reply: FastifyReply,
  useCase: CommandUseCase<Input, Prepared, Result, Versioned<T>>,
  input: Input,
  options: CommandOptions = {},
): Promise<T> {
  return withEtag(reply, await command(request, useCase, input, options));
}

/**
 * Runs work on a stream: the body of an upload, or a response that lasts as long as the client listens. It takes too long for
 * one transaction and runs its own.
 */
export const stream = <Input, Output>(
  request: FastifyRequest,
  work: (ctx: Steps<AppServices>, input: Input) => Promise<Output>,
  input: Input,
): Promise<Output> => work(contextsOf(request).steps(originOf(request)), input);

type ItemError = Omit<ReturnType<typeof describeError>, 'status'>;
type ItemResult<Output> = { success: true; result: Output } | { success: false; error: ItemError };

/**
 * Runs a command for each item in a bulk request, one after another, each in its own transaction. An item that fails
 * doesn't affect the others. With an Idempotency-Key, each item has its own key, so that an interrupted request
 * continues where it stopped. `check` validates an item, like the schema of a request for a single record.
 */
export function commandEach<Item, Output>(
  request: FastifyRequest,
  useCase: (ctx: Command<AppServices>, item: Item) => Promise<Output>,
  items: readonly Item[],
  check: CheckItem,
): Promise<{ items: ItemResult<Output>[] }> {
  const ctx = contextsOf(request).runner({ ...originOf(request), ifMatch: undefined });
  const key = idempotencyKey(request, ctx.now);
  const steps = inSteps({ execute: useCase });
  const runItem = async (item: Item, i: number): Promise<ItemResult<Output>> => {
    try {
      check(item);
      await requireAccess(request);
      // A key in a header has no spaces.
      const itemKey = key && { ...key, key: `${key.key} ${i}` };
      return { success: true, result: await runCommand(ctx, steps, item, { key: itemKey }) };
    } catch (error) {
      const { status: _, ...body } = describeError(error, request);
      return { success: false, error: body };
    }
  };
  const runAll = async () => {
    const results: ItemResult<Output>[] = [];
    for (const [i, item] of items.entries()) results.push(await runItem(item, i));
    return { items: results };
  };
  return runCommand(ctx, inSteps({ execute: async () => null, afterCommit: runAll }), null, { key });
}

const contextsOf = (request: FastifyRequest) => request.server.contexts;

function originOf(request: FastifyRequest): Origin {
  const { 'souk-step-up': stepUp } = request.headers;
  return {
    caller: request.caller ?? null,
    businessId: businessIdOf(request) ?? '',
    address: request.ip,
    acceptLanguage: request.headers['accept-language'],
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    ifMatch: request.headers['if-match'],
    stepUp: typeof stepUp === 'string' ? stepUp : undefined,
    lsn: positionOf(request),
  };
}

function withEtag<T>(reply: FastifyReply, { record, version }: Versioned<T>): T {
  reply.header('etag', etagOf(version));
  return record;
}
