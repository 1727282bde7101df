import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySchema,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Contexts } from '../context/create.ts';
import { unavailable } from '../shared/errors.ts';
import { type Access, type AccessLookup, checkAccess, createFindRefusal, recheckAccess, recordUse } from './access.ts';
import type { App } from './app.ts';
import { acceptJson } from './bodies/json.ts';
import { limitAnonymous } from './clients/anonymous-budget.ts';
import { limitBodyTime } from './clients/body-deadline.ts';
import { serializePipelined } from './clients/pipelining.ts';
import { shareCpuTime } from './clients/request-work.ts';
import { limitSlowClients } from './clients/slow-clients.ts';
import { allowOrigins, type OriginCheck } from './cors.ts';
import { handleBrokenRequest, handleErrors, type NotFoundPage, sendError } from './errors.ts';
import { describeApi } from './openapi/openapi.ts';
import { reportPosition } from './read-position.ts';
import { requestId } from './request-id.ts';
import { serializeBySchema } from './serialization.ts';
import { traceRequests } from './tracing.ts';
import { compileIgnored, compileUnknown, reportIgnored } from './validation/ignored.ts';
import { requireMaxLengths } from './validation/lengths.ts';
import { checkInvalid } from './validation/on-invalid.ts';
import { compileValidator } from './validation/validation.ts';

export type { App } from './app.ts';

/** A route and its access rule. */
export type ListedRoute = { method: string; url: string; access: Access; schema: FastifySchema | undefined };

declare module 'fastify' {
  interface FastifyInstance {
    /** All routes, for checks that must cover future routes too. */
    routeList: ListedRoute[];
  }
}

export type ServerOptions = {
  log: FastifyBaseLogger;
  access: AccessLookup;
  contexts: Contexts;
  trustProxy: number;
  /** Whether CORS allows requests from this origin. */
  origins: OriginCheck;
  https: boolean;
  /** Whether to log ignored fields in a body. */
  logsIgnored?: boolean;
  /** A client that stops reading its response or sending its body for this long is disconnected. */
  stallMs?: number;
  /** A client that has not sent its headers or its whole request in time is disconnected. */
  timeouts?: { headersMs: number; requestMs: number };
  /** The per-second budget of an IP address for routes that need no token. Unlimited if absent. */
  anonymousUnits?: number;
  notFoundPage?: NotFoundPage;
  /** The URL that a request is routed by, for requests to storefront hosts. */
  routedUrl?: (request: IncomingMessage) => string;
  /** The position in the write-ahead log after all writes of this process. Absent without a read replica. */
  latestLsn?: (() => string) | undefined;
};

const JSON_BODY_LIMIT = 1_048_576;

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

const headRequests = new WeakSet<IncomingMessage>();

/** Whether only headers are requested, so that handlers can skip reading a large file. */
export const isHead = (request: { raw: IncomingMessage }) => headRequests.has(request.raw);

/** Handles HEAD like a GET without an Accept header. Node omits the body. */
function rewriteHead(request: IncomingMessage): void {
  if (request.method === 'HEAD') {
    headRequests.add(request);
    request.method = 'GET';
    delete request.headers.accept;
  }
}

function lazy<T>(create: () => T): () => T {
  let created: { value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

export async function createServer(options: ServerOptions): Promise<App> {
  const { headersMs, requestMs } = options.timeouts ?? { headersMs: 15_000, requestMs: 30_000 };
  const headers = options.https
    ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' }
    : SECURITY_HEADERS;
  const app: App = Fastify<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger>({
    // Drops Fastify's own "Server listening" message. The process that starts the service logs it instead.
    loggerInstance: Object.assign(Object.create(options.log), { info: () => {} }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    trustProxy: options.trustProxy === 0 ? false : (_address, hop) => hop < options.trustProxy,
    bodyLimit: JSON_BODY_LIMIT,
    // Each route sets its own time limit for the body.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    connectionTimeout: 0,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(headersMs / 3, 5000) },
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    rewriteUrl(request) {
      rewriteHead(request as IncomingMessage);
      return options.routedUrl?.(request as IncomingMessage) ?? request.url ?? '/';
    },
    forceCloseConnections: 'idle',
    // Fastify's own response has a different body and no Retry-After.
    return503OnClosing: false,
    clientErrorHandler: handleBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'x-request-id': request.id });
      sendError(error, request, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  const takeTurn = serializePipelined(app, options.trustProxy);
  traceRequests(app);

  acceptJson(app as unknown as FastifyInstance);
  handleErrors(app as unknown as FastifyInstance, options.notFoundPage);
  app.setValidatorCompiler(compileValidator);
  serializeBySchema(app);
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    done(isClosing ? unavailable('The service is shutting down. Try again in a moment.') : undefined);
  });
  if (options.anonymousUnits) limitAnonymous(app, options.anonymousUnits);
  app.addHook('onRequest', limitBodyTime(requestMs));
  app.addHook('preValidation', recheckAccess);
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.bodyOptional) request.body ??= {};
    done();
  });
  app.addHook('preValidation', reportIgnored(options.logsIgnored ?? false));
  if (options.latestLsn) reportPosition(app, options.latestLsn);
  app.decorate('stallMs', options.stallMs ?? 20_000);
  limitSlowClients(app, takeTurn);
  await allowOrigins(app, options.origins);
  app.decorate('findRefusal', createFindRefusal(options.access));
  app.addHook('onRequest', checkAccess);
  app.addHook('onRequest', recordUse(options.access));
  shareCpuTime(app);
  app.decorate('contexts', options.contexts);
  app.decorate('routeList', []);
  app.addHook('onRoute', (route) => {
    if (route.method === 'OPTIONS') return;
    const access = route.config?.access;
    if (!access) throw new Error(`${route.method} ${route.url} must set config.access.`);
    const idempotent = route.config?.idempotent ?? (route.method === 'POST' && access !== 'public');
    route.config = {
      ...route.config,
      idempotent,
      findIgnored: lazy(() => compileIgnored(route.schema)),
      findUnknown: lazy(() => compileUnknown(route.schema, route.config?.alsoReads)),
    };
    app.routeList.push({ method: String(route.method), url: route.url, access, schema: route.schema });
  });
  app.addHook('onRoute', requireMaxLengths);
  app.addHook('onRoute', checkInvalid);
  await describeApi(app);
  return app;
}
