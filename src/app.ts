/** Wires the rooms. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type Bundles, createBundles } from './bundles/index.ts';
import type { Config } from './config.ts';
import { type Contexts, createContexts } from './context/create.ts';
import type { Platform, Steps } from './context/index.ts';
import { type Broadcast, createBroadcast } from './db/broadcast.ts';
import { createCallLimits } from './db/call-limits.ts';
import { deleteExpiredKeys } from './db/idempotency.ts';
import { deleteExpiredLimits } from './db/limits.ts';
import { createListener } from './db/listener.ts';
import { createOneTrip, type OneTrip } from './db/one-trip.ts';
import { type ConnectionTarget, createPool, type Pool } from './db/pool.ts';
import { createSharedConnections } from './db/shared-connections.ts';
import { createSnapshots } from './db/snapshots.ts';
import type { Db } from './db/sql.ts';
import { DEMO_BUSINESS_ID } from './demo/index.ts';
import { type AccountServices, createAccounts, deleteExpired, namesOf } from './domains/accounts/index.ts';
import {
  type BusinessServices,
  businessExists,
  createBusinesses,
  customerData,
  existingPeople,
  noteRoleUse,
} from './domains/businesses/index.ts';
import { createCatalog, existingProducts, productKind, refreshProductMedia } from './domains/catalog/index.ts';
import { type Content, collectionKind, createContent, entryKind, refreshEntryMedia } from './domains/content/index.ts';
import { createEvents, type Events, eventWriter } from './domains/events/index.ts';
import { createImports } from './domains/imports/index.ts';
import { createMedia, deleteFilesOf, existingMedia } from './domains/media/index.ts';
import {
  createNewsletters,
  deleteSubscriptionsOf,
  deletionGuard,
  deliveryData,
  subscribersOf,
  subscriptionData,
} from './domains/newsletters/index.ts';
import {
  customersOf,
  existingOrders,
  findOrderForEntry,
  listCustomersAmong,
  orderData,
  registerOrders,
} from './domains/orders/index.ts';
import { createPayments, endAtProviderOf, type PaymentServices } from './domains/payments/index.ts';
import { registerPricing } from './domains/pricing/index.ts';
import { createPrivacy } from './domains/privacy/index.ts';
import { createPublishing } from './domains/publishing/index.ts';
import { createWebhooks } from './domains/webhooks/index.ts';
import { parseJson } from './http/json.ts';
import { createMetrics } from './http/metrics.ts';
import { type App, createServer } from './http/server.ts';
import { systemRoutes } from './http/system.ts';
import { compileCheck } from './http/validation.ts';
import { createJobs, type Jobs } from './jobs/index.ts';
import { createMessages } from './jobs/messages.ts';
import { sendNotFound } from './pages/page.ts';
import { mailDomain } from './providers/mail/sender.ts';
import { createOutbox } from './providers/outbox.ts';
import { httpSms, twilioSms } from './providers/sms/http.ts';
import { addRoutes } from './routes.ts';
import { loadShapes } from './shapes.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import { unavailable } from './shared/errors.ts';
import { createOrigins } from './shared/origins.ts';
import { createCursors } from './shared/paging.ts';
import { deriveKey } from './shared/secrets.ts';
import { setTracing, tracing } from './shared/tracing.ts';

/** How long requests and jobs in flight may take when the service stops. */
const STOP_GRACE_MS = 6000;

export type ServiceOptions = {
  config: Config;
  target: ConnectionTarget;
  /** The server itself, where `target` is a pooler that lends sessions by the transaction. */
  direct?: ConnectionTarget;
  log: FastifyBaseLogger;
  /** Run jobs in this process. */
  works: boolean;
  clock?: Clock;
  /** What browsers run; by default built when it is asked for. */
  bundles?: Bundles;
};

export type Service = Readonly<{
  app: App;
  broadcast: Broadcast;
  oneTrip: OneTrip;
  jobs: Jobs;
  events: Events;
  businesses: ReturnType<typeof createBusinesses>;
  accounts: Awaited<ReturnType<typeof createAccounts>>;
  contexts: Contexts;
  content: Content;
  /** The address it listens on. */
  listen(): Promise<string>;
  work(): Promise<void>;
  stop(): Promise<void>;
}>;

/** The database must be migrated. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, target, direct = target, log, works, clock = systemClock, bundles = createBundles(config) } = options;
  if (config.tracing && tracing === null) setTracing((await import('./tracing/index.ts')).startTracing(config.tracing));
  const pool = createPool(target, { max: config.databasePool });
  const shared = createSharedConnections(target);
  const quick = shared.db;
  const jobsPool = createPool(target, { max: 3, applicationName: 'souk-jobs' });
  const snapshots = createSnapshots(target);
  const listener = createListener(direct);
  let publicUrl = config.publicUrl ?? `http://${hostInUrl(config.host)}:${config.port}`;
  let ready = false;

  const broadcast = createBroadcast(listener);
  const jobs = createJobs(jobsPool, listener, log, { works, failedKeptDays: config.failedJobsKeptDays });
  const outbox = createOutbox(join(config.dataDir, 'outbox'));
  const mailer = config.smtpUrl
    ? (await import('./providers/mail/smtp.ts')).smtpMailer(config.smtpUrl, config.mailFrom)
    : outbox.mailer;
  const smsSender = config.smsUrl
    ? (config.smsUrl.startsWith('twilio:') ? twilioSms : httpSms)(config.smsUrl)
    : outbox.smsSender;
  // A trip depends on its session until the flush. Few are enough: those of one business share one.
  const tripPool = target.isPooled ? createPool(direct, { max: Math.min(config.databasePool, 4) }) : pool;
  const oneTrip = createOneTrip(tripPool);
  const messages = createMessages(jobs, {
    mailer,
    smsSender,
    log,
    mailDomain: mailDomain(config.mailFrom),
    secretKey: config.secretKey,
  });
  const basics = {
    config,
    broadcast,
    callLimits: createCallLimits(config.limits),
    clock,
    log,
    cursors: createCursors(deriveKey(config.secretKey, 'cursors')),
    publicUrl: () => publicUrl,
    origins: createOrigins({
      allowed: config.allowedOrigins,
      redirects: config.allowedRedirects,
      production: config.production,
      publicUrl: () => publicUrl,
    }),
  };
  const contexts: Contexts = createContexts({
    ...{ pool, quick, oneTrip, jobs, messages, platform: basics },
    events: { ...eventWriter, wake: (businessId) => events.wake(businessId) },
  });
  const { platform } = contexts;

  const events = createEvents(platform, contexts.system);
  const businesses = createBusinesses(platform);
  const accounts = await createAccounts(platform, contexts.system);
  events.registerNames(namesOf);
  const webhooks = createWebhooks(platform, events, contexts.system);
  const media = await createMedia(platform);
  const publishing = createPublishing(platform);
  const catalog = createCatalog(platform);
  const content = createContent(platform);
  businesses.deleteFiles = (businessId, signal) => deleteFilesOf(media.storage, businessId, signal);
  publishing.registerKind('product', productKind);
  publishing.registerKind('collection', collectionKind);
  publishing.registerKind('entry', entryKind);
  media.registerUser('product', refreshProductMedia);
  media.registerUser('entry', refreshEntryMedia);
  content.registerReferenceTarget('USER', existingPeople);
  content.registerReferenceTarget('PRODUCT', existingProducts);
  content.registerReferenceTarget('MEDIA', existingMedia);
  content.registerReferenceTarget('ORDER', existingOrders);
  content.registerOrderFinder(findOrderForEntry);
  registerPricing(platform);
  const payments = createPayments(platform);
  businesses.endPayments = (ctx, businessId, secrets) =>
    endAtProviderOf(ctx as Steps<PaymentServices>, businessId, secrets);
  registerOrders(platform, payments);
  accounts.registerTie(customersOf);
  accounts.registerOwners(listCustomersAmong);
  const newsletters = createNewsletters(platform, { mailer, payments });
  accounts.registerTie(subscribersOf);
  content.registerDependents(deleteSubscriptionsOf);
  content.registerDeletionGuard(deletionGuard);

  const imports = createImports(platform, { compileCheck, parseJson, snapshots });
  const privacy = createPrivacy(platform);
  privacy.register(customerData, orderData, subscriptionData, deliveryData);

  contexts.provide({
    ...{ events, businesses, accounts, webhooks, media, publishing, catalog, content },
    ...{ payments, newsletters, imports, privacy },
  });
  registerUpkeep(platform);
  await broadcast.start();
  await jobs.install();

  const metrics = createMetrics(jobs);
  const system = contexts.system() as Steps<BusinessServices>;
  const app = await createServer({
    log,
    contexts,
    gate: {
      authenticate: accounts.authenticate,
      businessExists: (id) => businessExists(system, id),
      noteRoleUse: (caller, id) => noteRoleUse(system, caller, id),
    },
    trustProxy: config.trustProxy,
    isAllowedOrigin: basics.origins.mayCall,
    warnsOfIgnored: !config.production,
    stallMs: config.stallSeconds * 1000,
    https: publicUrl.startsWith('https:'),
    notFoundPage: sendNotFound,
  });
  metrics.observe(app);
  systemRoutes(app, {
    probe: () => probe(quick, pool, tripPool),
    isReady: () => ready,
    metrics: metrics.text,
    shapes: loadShapes,
  });
  addRoutes(app, {
    ...{ config, bundles, outbox, publicUrl: platform.publicUrl, idp: accounts.idp?.name ?? null },
    findDemo: async () => ((await businessExists(system, DEMO_BUSINESS_ID)) ? DEMO_BUSINESS_ID : null),
  });

  return {
    app,
    broadcast,
    oneTrip,
    jobs,
    events,
    businesses,
    accounts,
    contexts,
    content,
    async listen() {
      await app.listen({ host: config.host, port: config.port });
      const address = app.server.address();
      const port = typeof address === 'object' && address ? address.port : config.port;
      if (!config.publicUrl) publicUrl = `http://${hostInUrl(config.host)}:${port}`;
      ready = true;
      return `http://${hostInUrl(config.host)}:${port}`;
    },
    async work() {
      webhooks.start();
      await jobs.work();
    },
    async stop() {
      ready = false;
      await Promise.all([closeHttp(app), jobs.stop(STOP_GRACE_MS)]);
      await Promise.all([events.stop(), webhooks.stop()]);
      await broadcast.stop();
      await mailer.close();
      media.images.close();
      await Promise.all([
        listener.stop(),
        ...[...new Set([pool, tripPool]), shared, jobsPool, snapshots].map((each) => each.end()),
      ]);
    },
  };
}

/** Every kind of connection that requests use, with what it must be able to do. */
async function probe(quick: Db, ...pools: Pool[]): Promise<void> {
  const [rows] = await Promise.all([
    quick<[{ readOnly: string }]>`select current_setting('transaction_read_only') as read_only`,
    ...pools.map((pool) => pool.probe()),
  ]);
  if (rows[0].readOnly === 'on') throw unavailable('The database takes no writes.');
}

function registerUpkeep({ handleJobs }: Platform): void {
  handleJobs<object, AccountServices>({
    name: 'upkeep',
    cron: '*/10 * * * *',
    async handle(ctx) {
      await ctx.write((tx) => deleteExpiredKeys(tx, ctx.now));
      await ctx.write((tx) => deleteExpiredLimits(tx, ctx.now));
      await ctx.transaction(deleteExpired);
    },
  });
}

/** Requests in flight are finished; a client that drags on is cut off, so that it cannot hold up the stop. */
async function closeHttp(app: App): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS);
  await app.close();
  clearTimeout(cut);
}

export const hostInUrl = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
