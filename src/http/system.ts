import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { unavailable } from '../shared/errors.ts';
import { matchesTag } from '../shared/headers.ts';
import type { App } from './app.ts';
import { withDeadline } from './deadline.ts';
import { documentOf } from './openapi/openapi.ts';

type SystemOptions = {
  /** Throws if the database can't serve requests. */
  probe: () => Promise<void>;
  isReady: () => boolean;
  metrics: () => Promise<string>;
  /** Returns a finished OpenAPI document, or null to build it from the routes. */
  savedDocument: () => Promise<object | null>;
  /** The schemas of the OpenAPI components, by name. */
  schemas: () => Promise<ReadonlyMap<string, TSchema>>;
};

const DATABASE_DEADLINE_MS = 1500;
/** Collecting the metrics blocks the process for milliseconds. */
const METRICS_MS = 1000;
const tags = ['System'];
const Status = (example: string) =>
  Type.Object({ status: Type.String({ examples: [example] }) }, { description: 'The status' });

/** Routes for operators and tools: health, readiness, metrics and the OpenAPI document. */
export function systemRoutes(app: App, options: SystemOptions): void {
  const { probe, isReady, metrics, savedDocument, schemas } = options;
  const checkDatabase = databaseCheck(probe);
  const readMetrics = atMostEvery(METRICS_MS, metrics);

  app.get(
    '/healthz',
    {
      config: { access: 'public', isFree: true },
      schema: { tags, operationId: 'getHealth', summary: 'Check liveness', response: { 200: Status('ok') } },
    },
    () => ({ status: 'ok' }),
  );

  app.get(
    '/readyz',
    {
      config: { access: 'public', isFree: true },
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Check readiness',
        description: 'Responds with 503 unless the database is reachable and migrated.',
        response: { 200: Status('ready') },
      },
    },
    async () => {
      if (!isReady()) throw unavailable('The service is starting or shutting down. Try again in a moment.');
      await checkDatabase();
      return { status: 'ready' };
    },
  );

  app.get(
    '/metrics',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Get Prometheus metrics',
        response: {
          200: {
            description: 'Metrics in the Prometheus text format',
            content: { 'text/plain': { schema: Type.String() } },
          },
        },
      },
    },
    async (_request, reply) => {
      reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
      return readMetrics();
    },
  );

  let document: Promise<StoredDocument> | undefined;
  const loadDocument = async () => storedDocument((await savedDocument()) ?? documentOf(app, await schemas()));
  const readDocument = () => {
    document ??= loadDocument();
    return document;
  };
  app.get(
    '/openapi.json',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getDocument',
        summary: 'Get this OpenAPI document',
        response: { 200: Type.Object({}, { additionalProperties: true, description: 'The OpenAPI document' }) },
      },
    },
    async (request, reply) => {
      const { bytes, etag } = await readDocument();
      reply.header('cache-control', 'public, no-cache').header('etag', etag);
      if (matchesTag(request.headers['if-none-match'], etag)) return (reply as FastifyReply).code(304).send() as never;
      return reply.header('content-type', 'application/json; charset=utf-8').send(bytes) as never;
    },
  );
}

type StoredDocument = { bytes: Buffer; etag: string };

/** Serializing the document takes too long to do for each request. */
function storedDocument(document: object): StoredDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"` };
}

/** Calls during a read and within `ms` after it share its result. */
function atMostEvery<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  let untilMs = 0;
  return () => {
    if (result && performance.now() < untilMs) return result;
    untilMs = Number.POSITIVE_INFINITY;
    result = read().finally(() => {
      untilMs = performance.now() + ms;
    });
    return result;
  };
}

/**
 * Throws 503 if the database does not respond in time. Concurrent calls share one check, so that they don't pile up
 * statements on an unresponsive database.
 */
function databaseCheck(probe: SystemOptions['probe']): () => Promise<unknown> {
  const unreachable = () => Promise.reject(unavailable('The database is not responding.'));
  let check: Promise<unknown> | undefined;
  return () => {
    check ??= withDeadline(probe().catch(unreachable), DATABASE_DEADLINE_MS, unreachable).finally(() => {
      check = undefined;
    });
    return check;
  };
}
