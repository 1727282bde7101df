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
import { type Access, checkAccess, type Gate, noteUse } from './access.ts';
import { limitBodyTime } from './body-deadline.ts';
import { allowOrigins } from './cors.ts';
import { answerBrokenRequest, answerError, answerErrors, type NotFoundPage } from './errors.ts';
import { compileIgnored, reportIgnored } from './ignored.ts';
import { acceptJson } from './json.ts';
import { describeApi } from './openapi.ts';
import { requestId } from './request-id.ts';
import { serializeBySchema } from './serialization.ts';
import { limitSlowClients } from './slow-clients.ts';
import { traceRequests } from './tracing.ts';
import { compileValidator } from './validation.ts';

/** What a domain's `routes.ts` gets: Fastify with our schemas as its types. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** A route and who may call it. */
export type ListedRoute = { method: string; url: string; access: Access; schema: FastifySchema | undefined };

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, for checks that cover those to come. */
    routeList: ListedRoute[];
  }
}

export type ServerOptions = {
  log: FastifyBaseLogger;
  gate: Gate;
  contexts: Contexts;
  trustProxy: number;
  /** Browsers on these origins may call us. */
  isAllowedOrigin: (origin: string) => boolean;
  https: boolean;
  /** Log what of a body is ignored. */
  warnsOfIgnored?: boolean;
  /** A client that takes nothing of its answer for this long is cut off. */
  stallMs?: number;
  /** A client that has not sent its headers, or the whole request, by then is cut off. */
  timeouts?: { headersMs: number; requestMs: number };
  notFoundPage?: NotFoundPage;
};

const JSON_BODY_LIMIT = 1_048_576;

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

const heads = new WeakSet<IncomingMessage>();

/** True where only the headers are wanted, so that nobody reads a film to answer nothing. */
export const isHead = (request: { raw: IncomingMessage }) => heads.has(request.raw);

/** To HEAD we answer as to GET of a page, which changes nothing; Node leaves the body away by itself. */
function answerHeadAsGet(request: IncomingMessage): string {
  if (request.method === 'HEAD') {
    heads.add(request);
    request.method = 'GET';
    delete request.headers.accept;
  }
  return request.url ?? '/';
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export async function createServer(options: ServerOptions): Promise<App> {
  const { headersMs, requestMs } = options.timeouts ?? { headersMs: 15_000, requestMs: 30_000 };
  const headers = options.https
    ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' }
    : SECURITY_HEADERS;
  const app: App = Fastify<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger>({
    // Fastify tells that it listens; whoever starts the service says so in their own words.
    loggerInstance: Object.assign(Object.create(options.log), { info: () => {} }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    trustProxy: options.trustProxy === 0 ? false : (_address, hop) => hop < options.trustProxy,
    bodyLimit: JSON_BODY_LIMIT,
    // The route says how long a body may take.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    connectionTimeout: 0,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(headersMs / 3, 5000) },
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    rewriteUrl: answerHeadAsGet,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'x-request-id': request.id });
      answerError(error, request, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  traceRequests(app);

  acceptJson(app as unknown as FastifyInstance);
  answerErrors(app as unknown as FastifyInstance, options.notFoundPage);
  app.setValidatorCompiler(compileValidator);
  serializeBySchema(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onRequest', limitBodyTime(requestMs));
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.bodyOptional) request.body ??= {};
    done();
  });
  app.addHook('preValidation', reportIgnored(options.warnsOfIgnored ?? false));
  limitSlowClients(app, { stallMs: options.stallMs ?? 20_000, bodyLimit: JSON_BODY_LIMIT });
  await allowOrigins(app, options.isAllowedOrigin);
  app.addHook('onRequest', checkAccess(options.gate));
  app.addHook('onRequest', noteUse(options.gate));
  app.decorate('contexts', options.contexts);
  app.decorate('routeList', []);
  app.addHook('onRoute', (route) => {
    if (route.method === 'OPTIONS') return;
    const access = route.config?.access;
    if (!access) throw new Error(`${route.method} ${route.url} does not say who may call it.`);
    const idempotent = route.config?.idempotent ?? (route.method === 'POST' && access !== 'public');
    route.config = { ...route.config, idempotent, findIgnored: lazy(() => compileIgnored(route.schema)) };
    app.routeList.push({ method: String(route.method), url: route.url, access, schema: route.schema });
  });
  await describeApi(app);
  return app;
}
