/** Wires the domains together. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type Bundles, createBundles } from './bundles/index.ts';
import type { Config } from './config.ts';
import { type Contexts, createContexts } from './context/create.ts';
import type { Platform } from './context/index.ts';
import { type Broadcast, createBroadcast } from './db/broadcast.ts';
import { createCallLimits } from './db/call-limits.ts';
import { connect } from './db/connections.ts';
import { deleteExpiredKeys } from './db/idempotency.ts';
import { deleteExpiredLimits } from './db/limits.ts';
import type { Pipeline } from './db/pipeline.ts';
import type { ConnectionTarget } from './db/pool.ts';
import { DEMO_BUSINESS_ID } from './demo/business-id.ts';
import { type Accounts, createAccounts, deleteExpired, namesOf } from './domains/accounts/index.ts';
import {
  type Businesses,
  businessExists,
  createBusinesses,
  customerData,
  existingPeople,
  findBusinessById,
  findOwnSender,
  recordRoleUse,
} from './domains/businesses/index.ts';
import { cartData, createCarts, previewReminder } from './domains/carts/index.ts';
import {
  createCatalog,
  existingProducts,
  productKind,
  refreshCategoryMedia,
  refreshProductMedia,
  stockAlertData,
} from './domains/catalog/index.ts';
import { type Content, collectionKind, createContent, entryKind, refreshEntryMedia } from './domains/content/index.ts';
import { createEvents, type Events, eventWriter } from './domains/events/index.ts';
import { createImports } from './domains/imports/index.ts';
import { createMedia, deleteFilesOf, existingMedia } from './domains/media/index.ts';
import {
  automationData,
  createBounceAddresses,
  createNewsletters,
  deleteSubscriptionsOf,
  deletionGuard,
  deliveryData,
  findActivePlans,
  findSuppressed,
  listSentEntries,
  planPayments,
  previewSubscriptionMail,
  receiveBounce,
  subscribersOf,
  subscriptionData,
  suppressionData,
} from './domains/newsletters/index.ts';
import {
  customersOf,
  existingOrders,
  findOrderForEntry,
  hasOrdered,
  listCustomersAmong,
  orderData,
  orderPayments,
  previewOrderMail,
  registerOrders,
} from './domains/orders/index.ts';
import { createPayments, endBusinessAtProvider } from './domains/payments/index.ts';
import { createPricing, vatCheckData } from './domains/pricing/index.ts';
import { createPrivacy } from './domains/privacy/index.ts';
import { createPublishing } from './domains/publishing/index.ts';
import { findRedirect } from './domains/redirects/index.ts';
import { createWebhooks } from './domains/webhooks/index.ts';
import { parseJson } from './http/json.ts';
import { createMetrics } from './http/metrics.ts';
import { readSavedDocument } from './http/saved-document.ts';
import { type App, createServer } from './http/server.ts';
import { systemRoutes } from './http/system.ts';
import { compileCheck } from './http/validation.ts';
import { createJobs, type Jobs } from './jobs/index.ts';
import { createMessages } from './jobs/messages.ts';
import { sendNotFound } from './pages/page.ts';
import { httpPurge } from './providers/cdn/http.ts';
import { mailDomain } from './providers/mail/sender.ts';
import type { BounceServer } from './providers/mail-events/bounce-server.ts';
import { createOutbox } from './providers/outbox.ts';
import { httpSms, twilioSms } from './providers/sms/http.ts';
import { addRoutes } from './routes.ts';
import { loadSchemas } from './schemas.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import { createCursors } from './shared/paging.ts';
import { createOrigins } from './shared/security/origins.ts';
import { deriveKey } from './shared/security/secrets.ts';
import { setTracing, tracing } from './shared/tracing.ts';
import { purgeOnChange } from './site/purge.ts';
import { type SiteRoutes, siteUrl } from './site/routes.ts';
import { isVisitor, VISITOR } from './site/visitor.ts';

/** How long requests and jobs in progress can take to finish when the service stops. */
const STOP_GRACE_MS = 6000;

export type ServiceOptions = {
  config: Config;
  target: ConnectionTarget;
  /** The server behind `target`, if `target` is a pooler in transaction mode. */
  direct?: ConnectionTarget;
  log: FastifyBaseLogger;
  /** Whether this process runs jobs. */
  works: boolean;
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
  work(): Promise<void>;
  /** Listens for reports of mail servers and returns the port. Null without BOUNCE_DOMAIN. */
  receiveBounces(): Promise<number | null>;
  stop(): Promise<void>;
}>;

/** Requires a migrated database. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, target, direct = target, log, works, clock = systemClock, bundles = createBundles(config) } = options;
  if (config.tracing && tracing === null) setTracing((await import('./tracing/index.ts')).startTracing(config.tracing));
  const connections = await connect(target, direct, config.databasePool);
  const { pool, reach, listener, pipeline, snapshots } = connections;
  if (connections.warning) log.warn(connections.warning);
  let publicUrl = config.publicUrl ?? `http://${hostInUrl(config.host)}:${config.port}`;
  let ready = false;
  let site: SiteRoutes | undefined;
  let bounceServer: BounceServer | undefined;

  const broadcast = createBroadcast(listener);
  const jobs = createJobs(pool, listener, log, {
    works,
    poolOf: (businessId) => reach(businessId).pool,
    failedKeptDays: config.failedJobsKeptDays,
    nowSeconds: clock.seconds,
  });
  const bounces =
    config.bounces &&
    createBounceAddresses(deriveKey(config.secretKey, 'bounces'), config.bounces.domain, clock.seconds);
  const outbox = createOutbox(join(config.dataDir, 'outbox'));
  const mailer = config.smtpUrl
    ? (await import('./providers/mail/smtp.ts')).smtpMailer(config.smtpUrl, config.mailFrom, {
        findOwn: (businessId) => findOwnSender(system(), businessId),
        bounceAddress: bounces?.addressOf,
      })
    : outbox.mailer;
  const smsSender = config.smsUrl
    ? (config.smsUrl.startsWith('twilio:') ? twilioSms : httpSms)(config.smsUrl)
    : outbox.smsSender;
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
      ownerOfHost: (host) => businesses.hosts.ownerOf(host),
    }),
  };
  const contexts: Contexts = createContexts({
    reach,
    jobs,
    messages,
    platform: basics,
    events: {
      ...eventWriter,
      wake(businessId) {
        events.wake(businessId);
        site?.expire(businessId);
      },
    },
  });
  const { platform } = contexts;

  const { system } = contexts;
  const events = createEvents(platform, namesOf);
  const businesses = createBusinesses(
    platform,
    {
      deleteFiles: (businessId, signal) => deleteFilesOf(media.storage, businessId, signal),
      endPayments: endBusinessAtProvider,
    },
    { order: previewOrderMail, subscription: previewSubscriptionMail, cart: previewReminder },
  );
  const accounts = await createAccounts(platform, {
    system,
    relatedUsers: [customersOf, subscribersOf],
    owners: [listCustomersAmong],
  });
  const webhooks = createWebhooks(platform, events);
  if (config.cdnPurge) purgeOnChange(platform, events, httpPurge(config.cdnPurge.url, config.cdnPurge.secret));
  const media = await createMedia(platform, {
    product: refreshProductMedia,
    category: refreshCategoryMedia,
    entry: refreshEntryMedia,
  });
  const publishing = createPublishing(platform, { product: productKind, collection: collectionKind, entry: entryKind });
  const catalog = createCatalog(platform, findSuppressed);
  const content = createContent(platform, {
    existing: { USER: existingPeople, PRODUCT: existingProducts, MEDIA: existingMedia, ORDER: existingOrders },
    findOrder: findOrderForEntry,
    deleteDependents: deleteSubscriptionsOf,
    deletionGuard,
    findActivePlans,
    listSentEntries,
  });
  const pricing = createPricing(platform);
  const carts = createCarts(platform, { hasOrdered, findSuppressed });
  const payments = createPayments(platform, { ORDER: orderPayments, SUBSCRIPTION: planPayments });
  registerOrders(platform);
  const newsletters = createNewsletters(platform, events, mailer);
  const imports = createImports(platform, { compileCheck, parseJson, snapshots });
  const privacy = createPrivacy(platform, {
    customers: customerData,
    orders: orderData,
    vatChecks: vatCheckData,
    carts: cartData,
    automations: automationData,
    subscriptions: subscriptionData,
    deliveries: deliveryData,
    suppressions: suppressionData,
    stockAlerts: stockAlertData,
  });

  contexts.provide({
    events,
    businesses,
    accounts,
    webhooks,
    media,
    publishing,
    catalog,
    content,
    pricing,
    carts,
    payments,
    newsletters,
    imports,
    privacy,
  });
  registerMaintenance(platform);
  await broadcast.start();
  await businesses.hosts.start(system().db);
  await accounts.pageOrigins.start(system().db);
  await jobs.install();

  const metrics = createMetrics(jobs);
  const app = await createServer({
    log,
    contexts,
    access: {
      authenticate: (token, address) => (isVisitor(token) ? VISITOR : accounts.authenticate(token, address)),
      businessExists: (id) => businessExists(system(), id),
      recordRoleUse: (caller, id) => recordRoleUse(system(), caller, id),
    },
    trustProxy: config.trustProxy,
    origins: { isAllowed: basics.origins.mayCall, mayCall: accounts.pageOrigins.mayCall },
    logsIgnored: !config.production,
    stallMs: config.stallSeconds * 1000,
    https: publicUrl.startsWith('https:'),
    anonymousUnits: config.limits.anonymous,
    notFoundPage: sendNotFound,
    routedUrl: (request) => siteUrl(request, businesses.hosts.ownerOf),
  });
  metrics.observe(app);
  systemRoutes(app, {
    probe: connections.probe,
    isReady: () => ready,
    metrics: metrics.text,
    schemas: loadSchemas,
    savedDocument: config.production ? readSavedDocument : async () => null,
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

  async function receiveBounces(): Promise<number | null> {
    if (!bounces) return null;
    const { startBounceServer } = await import('./providers/mail-events/bounce-server.ts');
    bounceServer = await startBounceServer({
      ...{ host: config.host, port: config.bounces!.port, accepts: bounces.accepts },
      receive: (to, raw) => receiveBounce(system(), { addresses: bounces, to, raw }),
    });
    return bounceServer.port;
  }

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
      await app.listen({ host: config.host, port: config.port });
      const address = app.server.address();
      const port = typeof address === 'object' && address ? address.port : config.port;
      if (!config.publicUrl) publicUrl = `http://${hostInUrl(config.host)}:${port}`;
      ready = true;
      return `http://${hostInUrl(config.host)}:${port}`;
    },
    async work() {
      await jobs.work();
      await receiveBounces();
    },
    receiveBounces,
    async stop() {
      ready = false;
      await Promise.all([closeHttp(app), jobs.stop(STOP_GRACE_MS), bounceServer?.close()]);
      await newsletters.hits.flushAll(system()).catch((error) => log.warn({ err: error }, 'Clicks lost'));
      await broadcast.stop();
      await mailer.close();
      media.images.close();
      media.animations.close();
      await connections.end();
    },
  };
}

function registerMaintenance({ handleJobs }: Platform): void {
  handleJobs<object>({
    name: 'upkeep',
    cron: '*/10 * * * *',
    async handle(ctx) {
      await ctx.write((tx) => deleteExpiredKeys(tx, ctx.now));
      await ctx.write((tx) => deleteExpiredLimits(tx, ctx.now));
      await ctx.transaction(deleteExpired);
    },
  });
}

/** Pages show the changes of other processes as soon as their events are numbered. */
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
