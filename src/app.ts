/** Connects everything: the database, the services of the domains, and the server with its routes. */
import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { type Bundles, createBundles, isPackaged } from './bundles/index.ts';
import type { Config } from './config.ts';
import { type Contexts, createContexts } from './context/create.ts';
import { createPlatform } from './context/platform.ts';
import { type Broadcast, createBroadcast } from './db/broadcast.ts';
import { createCallLimits } from './db/call-limits.ts';
import { startDatabaseClock } from './db/clock.ts';
import { connect } from './db/connections.ts';
import type { Pipeline } from './db/pipeline.ts';
import type { ConnectionTarget } from './db/pool.ts';
import { DEMO_BUSINESS_ID } from './demo/business-id.ts';
import type { Accounts } from './domains/accounts/index.ts';
import { type Businesses, businessExists, findBusinessById, recordRoleUse } from './domains/businesses/index.ts';
import type { Content } from './domains/content/index.ts';
import { type Events, eventWriter } from './domains/events/index.ts';
import { findRedirect } from './domains/redirects/index.ts';
import { createMetrics } from './http/metrics.ts';
import { readSavedDocument } from './http/openapi/saved-document.ts';
import { type App, createServer } from './http/server.ts';
import { systemRoutes } from './http/system.ts';
import { createJobs, type Jobs } from './jobs/index.ts';
import { createMessaging } from './messaging.ts';
import { sendNotFound } from './pages/page.ts';
import { httpPurge } from './providers/cdn/http.ts';
import { addRoutes } from './routes.ts';
import { loadSchemas } from './schemas.ts';
import { createServices } from './services.ts';
import type { Clock } from './shared/clock.ts';
import { createCursors } from './shared/paging.ts';
import { createOrigins } from './shared/security/origins.ts';
import { deriveKey } from './shared/security/secrets.ts';
import { setTracing, tracing } from './shared/tracing.ts';
import { purgeOnChange } from './site/purge.ts';
import { type SiteRoutes, siteUrl } from './site/routes.ts';
import { isVisitor, VISITOR } from './site/visitor.ts';

/** How long requests and jobs in progress can take to finish when the service stops. */
const STOP_GRACE_MS = 6000;

/** What a worker answers on WORKER_PORT. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

type ServiceOptions = {
  config: Config;
  target: ConnectionTarget;
  /** The server behind `target`, if `target` is a pooler in transaction mode. */
  direct?: ConnectionTarget;
  /** A read replica of the database. */
  replica?: ConnectionTarget | null;
  log: FastifyBaseLogger;
  /** Whether this process runs jobs. */
  works: boolean;
  /** Defaults to the database clock. */
  clock?: Clock;
  /** The browser bundles. By default they are built on the first request. */
  bundles?: Bundles;
};

export type Service = Readonly<{
  app: App;
  broadcast: Broadcast;
  pipeline: Pipeline;
  jobs: Jobs;
  events: Events;
  businesses: Businesses;
  accounts: Accounts;
  contexts: Contexts;
  content: Content;
  /** Starts listening and returns the URL. */
  listen(): Promise<string>;
  /** For a worker: answers only probes and returns the URL. Null without WORKER_PORT. */
  listenForProbes(): Promise<string | null>;
  work(): Promise<void>;
  /** Listens for reports from mail servers and returns the port. Null without BOUNCE_DOMAIN. */
  receiveBounces(): Promise<number | null>;
  stop(): Promise<void>;
}>;

/** Requires a migrated database. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, target, direct = target, replica = null, log, works, bundles = createBundles(config) } = options;
  if (config.tracing && tracing === null) setTracing((await import('./tracing/index.ts')).startTracing(config.tracing));
  const connections = await connect(target, direct, config.databasePool, replica && { target: replica, log });
  const { pool, connectionsFor, listener, pipeline } = connections;
  if (connections.warning) log.warn(connections.warning);
  const databaseClock = await startDatabaseClock(pool.db);
  const clock = options.clock ?? databaseClock;
  let publicUrl = config.publicUrl ?? `http://${hostInUrl(config.host)}:${config.port}`;
  let ready = false;
  let probes: HttpServer | undefined;
  let site: SiteRoutes | undefined;

  const broadcast = createBroadcast(listener, databaseClock);
  const jobs = createJobs(pool, listener, log, {
    works,
    poolOf: (businessId) => connectionsFor(businessId).pool,
    failedKeptDays: config.failedJobsKeptDays,
    nowSeconds: clock.seconds,
  });
  const system = () => contexts.system();
  const messaging = await createMessaging({ config, clock, log, jobs, system });
  const { outbox, mailer, messages, receiveBounces } = messaging;
  const origins = createOrigins({
    allowed: config.allowedOrigins,
    redirects: config.allowedRedirects,
    production: config.production,
    publicUrl: () => publicUrl,
    ownerOfHost: (host) => services.businesses.hosts.ownerOf(host),
  });
  const given = {
    config,
    broadcast,
    callLimits: createCallLimits(config.limits),
    clock,
    log,
    cursors: createCursors(deriveKey(config.secretKey, 'cursors')),
    publicUrl: () => publicUrl,
    origins,
  };
  const platform = createPlatform(given, jobs, () => contexts);
  const services = await createServices(platform, { system, mailer, snapshots: connections.snapshots });
  const { events, businesses, accounts, media, newsletters, content } = services;
  const contexts: Contexts = createContexts({
    connectionsFor,
    replica: connections.replica,
    jobs,
    messages,
    platform,
    services,
    events: {
      ...eventWriter,
      wake(businessId) {
        events.wake(businessId);
        site?.expire(businessId);
      },
    },
  });
  if (config.cdnPurge) purgeOnChange(platform, events, httpPurge(config.cdnPurge.url, config.cdnPurge.secret));
  await broadcast.start();
  await businesses.hosts.start(system().db);
  await accounts.pageOrigins.start(system().db);
  await accounts.tokens.start();
  await jobs.install();

  const metrics = createMetrics(jobs, connections.replica?.reads);
  const app = await createServer({
    log,
    contexts,
    access: {
      authenticate: (token, address) => (isVisitor(token) ? VISITOR : accounts.authenticate(token, address)),
      businessExists: (id) => businessExists(system(), id),
      recordRoleUse: (caller, id) => recordRoleUse(system(), caller, id),
    },
    trustProxy: config.trustProxy,
    origins: { isAllowed: origins.mayCall, mayCall: accounts.pageOrigins.mayCall },
    logsIgnored: !config.production,
    stallMs: config.stallSeconds * 1000,
    https: publicUrl.startsWith('https:'),
    anonymousUnits: config.limits.anonymous,
    notFoundPage: sendNotFound,
    routedUrl: (request) => siteUrl(request, businesses.hosts.ownerOf),
    latestLsn: connections.replica?.latest,
  });
  metrics.observe(app);
  systemRoutes(app, {
    probe: connections.probe,
    isReady: () => ready,
    metrics: metrics.text,
    schemas: loadSchemas,
    savedDocument: config.production || isPackaged ? readSavedDocument : async () => null,
  });
  site = addRoutes(app, {
    config,
    bundles,
    outbox,
    publicUrl: platform.publicUrl,
    idp: accounts.idp?.name ?? null,
    isDemo: (businessId) => !config.production && businessId === DEMO_BUSINESS_ID,
    findRedirect: async (businessId, path) => (await findRedirect(system().within(businessId), path))?.to ?? null,
    findDemo: async () => (await findBusinessById(system(), DEMO_BUSINESS_ID))?.slug ?? null,
  });
  expireOnEvents(broadcast, site);

  return {
    app,
    broadcast,
    pipeline,
    jobs,
    events,
    businesses,
    accounts,
    contexts,
    content,
    async listen() {
      // With Node's default of 511, a burst of connections overflows the queue, and some wait seconds for a TCP retry.
      await app.listen({ host: config.host, port: config.port, backlog: 4096 });
      const address = app.server.address();
      const port = typeof address === 'object' && address ? address.port : config.port;
      if (!config.publicUrl) publicUrl = `http://${hostInUrl(config.host)}:${port}`;
      ready = true;
      return `http://${hostInUrl(config.host)}:${port}`;
    },
    async listenForProbes() {
      if (config.workerPort === null) return null;
      await app.ready();
      probes = createHttpServer((request, response) => {
        if (PROBES.has(request.url ?? '')) app.routing(request, response);
        else response.writeHead(404).end();
      });
      probes.listen(config.workerPort, config.host);
      await once(probes, 'listening');
      ready = true;
      return `http://${hostInUrl(config.host)}:${(probes.address() as AddressInfo).port}`;
    },
    async work() {
      await jobs.work();
      await receiveBounces();
    },
    receiveBounces,
    async stop() {
      ready = false;
      probes?.close();
      probes?.closeAllConnections();
      await Promise.all([closeHttp(app), jobs.stop(STOP_GRACE_MS), messaging.stopReceiving()]);
      await newsletters.hits.stop();
      await broadcast.stop();
      await mailer.close();
      media.images.close();
      media.animations.close();
      await connections.end();
    },
  };
}

/** Pages reflect changes by other processes as soon as the events of those changes are numbered. */
function expireOnEvents({ subscribe }: Broadcast, site: SiteRoutes): void {
  subscribe((subject) => {
    if (subject.startsWith('events:')) site.expire(subject.slice('events:'.length));
  });
}

/** Finishes requests in progress. Connections of slow clients are closed, so that they can't delay shutdown. */
async function closeHttp(app: App): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS);
  await app.close();
  clearTimeout(cut);
}

export const hostInUrl = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
