/** Wires the rooms. The only file that knows them all. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { createBroadcast } from './db/broadcast.ts';
import { type ConnectionTarget, connect, inTransaction } from './db/connection.ts';
import { deleteExpiredKeys } from './db/idempotency.ts';
import { deleteExpiredLimits } from './db/limits.ts';
import { pictureRoutes } from './demo/catalog.ts';
import type { Deps } from './deps.ts';
import { authRoutes } from './domains/accounts/auth-routes.ts';
import { type createAccounts, existingUsers } from './domains/accounts/index.ts';
import { userRoutes } from './domains/accounts/routes.ts';
import type { createBusinesses } from './domains/businesses/index.ts';
import { roleRoutes } from './domains/businesses/role-routes.ts';
import { businessRoutes } from './domains/businesses/routes.ts';
import { type Catalog, createCatalog, existingProducts } from './domains/catalog/index.ts';
import { catalogRoutes } from './domains/catalog/routes.ts';
import { collectionRoutes } from './domains/content/collection-routes.ts';
import { type Content, createContent } from './domains/content/index.ts';
import { entryRoutes } from './domains/content/routes.ts';
import { createNewsletters, type Newsletters } from './domains/newsletters/index.ts';
import { newsletterRoutes } from './domains/newsletters/routes.ts';
import { sendRoutes } from './domains/newsletters/send-routes.ts';
import { createOrders, customersOf, existingOrders, findOrderForEntry } from './domains/orders/index.ts';
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
import { smtpMailer } from './providers/mail/smtp.ts';
import { createOutbox } from './providers/outbox.ts';
import { httpSms, twilioSms } from './providers/sms/http.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import { createOrigins } from './shared/origins.ts';
import { createCursors } from './shared/paging.ts';
import { deriveKey } from './shared/secrets.ts';

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
    newsletters,
