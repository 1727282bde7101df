/** Wires the rooms. The only file that knows them all. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { type Contexts, createContexts } from './context/create.ts';
import type { Steps } from './context/index.ts';
import { createBroadcast } from './db/broadcast.ts';
import { type ConnectionTarget, connect, inTransaction } from './db/connection.ts';
import { deleteExpiredKeys } from './db/idempotency.ts';
import { deleteExpiredLimits } from './db/limits.ts';
import { createOneTrip } from './db/one-trip.ts';
import { pictureRoutes } from './demo/catalog.ts';
import type { Deps } from './deps.ts';
import { authRoutes } from './domains/accounts/auth-routes.ts';
import { createAccounts, existingUsers } from './domains/accounts/index.ts';
import { userRoutes } from './domains/accounts/routes.ts';
import { type BusinessServices, businessExists, createBusinesses } from './domains/businesses/index.ts';
import { roleRoutes } from './domains/businesses/role-routes.ts';
import { businessRoutes } from './domains/businesses/routes.ts';
import { createCatalog, existingProducts } from './domains/catalog/index.ts';
import { catalogRoutes } from './domains/catalog/routes.ts';
import { collectionRoutes } from './domains/content/collections/routes.ts';
import { entryRoutes } from './domains/content/entries/routes.ts';
import { type Content, createContent } from './domains/content/index.ts';
import { createNewsletters, deleteSubscriptionsOf, type Newsletters } from './domains/newsletters/index.ts';
import { newsletterRoutes } from './domains/newsletters/routes.ts';
import { sendRoutes } from './domains/newsletters/send-routes.ts';
import { createOrders, customersOf, existingOrders, findOrderForEntry, type Orders } from './domains/orders/index.ts';
import { paymentRoutes } from './domains/orders/payment-routes.ts';
import { promoRoutes } from './domains/orders/promo-routes.ts';
import { orderRoutes } from './domains/orders/routes.ts';
import { createMetrics } from './http/metrics.ts';
import { type App, createServer } from './http/server.ts';
import { systemRoutes } from './http/system.ts';
import { createJobs, type Jobs } from './jobs/index.ts';
import { createMessages } from './jobs/messages.ts';
import { accountPages } from './pages/account.ts';
import { assetRoutes } from './pages/assets.ts';
import { mailboxRoutes } from './pages/mailbox.ts';
import { payRoutes } from './pages/pay.ts';
import { referenceRoutes } from './pages/reference.ts';
import { unsubscribePage } from './pages/unsubscribe.ts';
import { mailDomain } from './providers/mail/sender.ts';
import { createOutbox } from './providers/outbox.ts';
import { httpSms, twilioSms } from './providers/sms/http.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import { createOrigins } from './shared/origins.ts';
import { createCursors } from './shared/paging.ts';
import { deriveKey } from './shared/secrets.ts';

/** How long requests and jobs in flight may take when the service stops. */
const STOP_GRACE_MS = 6000;

export type ServiceOptions = {
  config: Config;
  target: ConnectionTarget;
  log: FastifyBaseLogger;
  /** Run jobs in this process. */
  works: boolean;
  clock?: Clock;
};

export type Service = Readonly<{
  app: App;
  deps: Deps;
  jobs: Jobs;
  businesses: ReturnType<typeof createBusinesses>;
  accounts: Awaited<ReturnType<typeof createAccounts>>;
  newsletters: Newsletters;
  contexts: Contexts;
  content: Content;
  orders: Orders;
  /** The address it listens on. */
  listen(): Promise<string>;
  work(): Promise<void>;
  stop(): Promise<void>;
}>;

/** The database must be migrated. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, target, log, works, clock = systemClock } = options;
  const pool = connect(target, { max: config.databasePool });
  const quick = connect(target, { max: 2, applicationName: 'souk-quick', genericPlans: true });
  const jobsPool = connect(target, { max: 3, applicationName: 'souk-jobs', rawColumns: true });
  let publicUrl = config.publicUrl ?? `http://${hostInUrl(config.host)}:${config.port}`;
  let ready = false;

  const broadcast = createBroadcast(pool);
  const jobs = createJobs(jobsPool, log, { works });
  const outbox = createOutbox(join(config.dataDir, 'outbox'));
  const mailer = config.smtpUrl
    ? (await import('./providers/mail/smtp.ts')).smtpMailer(config.smtpUrl, config.mailFrom)
    : outbox.mailer;
  const smsSender = config.smsUrl
    ? (config.smsUrl.startsWith('twilio:') ? twilioSms : httpSms)(config.smsUrl)
    : outbox.smsSender;
  const oneTrip = createOneTrip(pool);
  const messages = createMessages(jobs, mailer, smsSender, log, mailDomain(config.mailFrom));
  const basics = {
    config,
    broadcast,
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
  const contexts = createContexts({ pool, quick, oneTrip, jobs, messages, platform: basics });
  const { platform } = contexts;
  const deps: Deps = { ...basics, pool, quick, inOneTrip: oneTrip, jobs, messages };

  const businesses = createBusinesses(platform, pool);
  const accounts = await createAccounts(deps);
  const catalog = createCatalog(platform);
  const content = createContent(platform);
  content.registerReferenceTarget('USER', (db, _businessId, ids) => existingUsers(db, ids));
  content.registerReferenceTarget('PRODUCT', existingProducts);
  content.registerReferenceTarget('ORDER', existingOrders);
  content.registerOrderFinder(findOrderForEntry);
  const orders = createOrders(deps, businesses, content);
  accounts.registerTie(customersOf);
  const newsletters = createNewsletters(deps, { businesses, content, payments: orders.payments, mailer });
  accounts.registerTie(newsletters.subscribers);
  content.registerDependents(deleteSubscriptionsOf);

  contexts.provide({ businesses, accounts, catalog, content, orders, newsletters });
  registerUpkeep(deps, accounts.tidy);
  await broadcast.start();
  await jobs.install();

  const metrics = createMetrics(jobs);
  const system = contexts.system() as Steps<BusinessServices>;
  const app = await createServer({
    log,
    contexts,
    gate: { authenticate: accounts.authenticate, businessExists: (id) => businessExists(system, id) },
    trustProxy: config.trustProxy,
    isAllowedOrigin: deps.origins.isListed,
    https: publicUrl.startsWith('https:'),
  });
  metrics.observe(app);
  systemRoutes(app, { pool, isReady: () => ready, metrics: metrics.text });
  businessRoutes(app);
  roleRoutes(app);
  authRoutes(app, accounts);
  userRoutes(app, deps, accounts, businesses);
  accountPages(app, accounts);
  orderRoutes(app, orders);
  promoRoutes(app, orders);
  paymentRoutes(app, orders);
  assetRoutes(app);
  payRoutes(app, orders.page);
  referenceRoutes(app);
  catalogRoutes(app);
  pictureRoutes(app);
  collectionRoutes(app);
  entryRoutes(app);
  newsletterRoutes(app, newsletters);
  sendRoutes(app, newsletters);
  unsubscribePage(app, newsletters);
  if (!config.production) mailboxRoutes(app, outbox);

  return {
    app,
    deps,
    jobs,
    businesses,
    accounts,
    newsletters,
    contexts,
    content,
    orders,
    async listen() {
      await app.listen({ host: config.host, port: config.port });
      const address = app.server.address();
      const port = typeof address === 'object' && address ? address.port : config.port;
      if (!config.publicUrl) publicUrl = `http://${hostInUrl(config.host)}:${port}`;
      ready = true;
      return `http://${hostInUrl(config.host)}:${port}`;
    },
    work: () => jobs.work(),
    async stop() {
      ready = false;
      await Promise.all([closeHttp(app), jobs.stop(STOP_GRACE_MS)]);
      await broadcast.stop();
      await mailer.close();
      await Promise.all([pool, quick, jobsPool].map((each) => each.end({ timeout: 2 })));
    },
  };
}

function registerUpkeep({ jobs, pool, clock }: Deps, tidyAccounts: () => Promise<void>): void {
  jobs.register({
    name: 'upkeep',
    cron: '*/10 * * * *',
    async handle() {
      await inTransaction(pool, deleteExpiredKeys);
      await inTransaction(pool, (tx) => deleteExpiredLimits(tx, clock.seconds()));
      await tidyAccounts();
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
