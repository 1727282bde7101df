/** All routes. */
import { type Bundles, bundleRoutes } from './bundles/index.ts';
import type { Config } from './config.ts';
import { readDemoLogin } from './demo/login-file.ts';
import { accountRoutes } from './domains/accounts/routes.ts';
import { customerRoutes } from './domains/businesses/customers/routes.ts';
import { invitationRoutes } from './domains/businesses/invitations/routes.ts';
import { mailTemplateRoutes } from './domains/businesses/mail-templates/routes.ts';
import { roleRoutes } from './domains/businesses/roles/routes.ts';
import { businessRoutes } from './domains/businesses/routes.ts';
import { senderRoutes } from './domains/businesses/senders/routes.ts';
import { storefrontRoutes } from './domains/businesses/storefront/routes.ts';
import { cartRoutes } from './domains/carts/routes.ts';
import { stockAlertRoutes } from './domains/catalog/alerts/routes.ts';
import { categoryRoutes } from './domains/catalog/categories/routes.ts';
import { productRoutes } from './domains/catalog/products/routes.ts';
import { stockRoutes } from './domains/catalog/stock/routes.ts';
import { productVersionRoutes } from './domains/catalog/versions/routes.ts';
import { collectionRoutes } from './domains/content/collections/routes.ts';
import { entryRoutes } from './domains/content/entries/routes.ts';
import { entryVersionRoutes } from './domains/content/entries/version-routes.ts';
import { eventRoutes } from './domains/events/routes.ts';
import { importRoutes } from './domains/imports/routes.ts';
import { mediaRoutes } from './domains/media/routes.ts';
import { automationRoutes } from './domains/newsletters/automations/routes.ts';
import { formRoutes } from './domains/newsletters/forms/routes.ts';
import { renderingRoutes } from './domains/newsletters/rendering/routes.ts';
import { segmentRoutes } from './domains/newsletters/segments/routes.ts';
import { sendRoutes } from './domains/newsletters/sends/routes.ts';
import { sendStatsRoutes } from './domains/newsletters/stats/routes.ts';
import { subscriptionRoutes } from './domains/newsletters/subscriptions/routes.ts';
import { suppressionRoutes } from './domains/newsletters/suppressions/routes.ts';
import { orderRoutes } from './domains/orders/routes.ts';
import { paymentRoutes } from './domains/payments/routes.ts';
import { addressRoutes } from './domains/pricing/addresses/routes.ts';
import { promoRoutes } from './domains/pricing/promos/routes.ts';
import { quoteRoutes } from './domains/pricing/quote-routes.ts';
import { previewRoutes } from './domains/pricing/taxes/preview-routes.ts';
import { privacyRoutes } from './domains/privacy/routes.ts';
import { publishingRoutes } from './domains/publishing/routes.ts';
import { redirectRoutes } from './domains/redirects/routes.ts';
import { statsRoutes } from './domains/stats/routes.ts';
import { webhookRoutes } from './domains/webhooks/routes.ts';
import type { App } from './http/server.ts';
import { accountPages } from './pages/account.ts';
import { adminPages } from './pages/admin.ts';
import { adminSessionRoutes } from './pages/admin-session.ts';
import { assetRoutes } from './pages/assets.ts';
import { cartReminderPage } from './pages/cart-reminders.ts';
import { confirmSubscriptionPage } from './pages/confirm-subscription.ts';
import { homeRoutes } from './pages/home.ts';
import { invitationPages } from './pages/invitation.ts';
import { mailLinks } from './pages/mail-links.ts';
import { mailboxRoutes } from './pages/mailbox.ts';
import { newsletterPage } from './pages/newsletter.ts';
import { orderPage } from './pages/order/order.ts';
import { payRoutes } from './pages/pay.ts';
import { planPage } from './pages/plan.ts';
import { referenceRoutes } from './pages/reference.ts';
import { signupFormPage } from './pages/signup-form.ts';
import { unsubscribePage } from './pages/unsubscribe.ts';
import type { Outbox } from './providers/outbox.ts';
import { isGone } from './site/gone.ts';
import { createModuleLoader } from './site/load-module.ts';
import { type SiteRoutes, siteRoutes } from './site/routes.ts';
import { createSessions } from './site/session.ts';

/** Dependencies of pages, in addition to the request context. */
export type RouteOptions = {
  config: Config;
  bundles: Bundles;
  outbox: Outbox;
  publicUrl: () => string;
  /** The name of the OAuth provider. Null if there is none. */
  idp: string | null;
  /** The slug of the demo shop, or null. */
  findDemo: () => Promise<string | null>;
  /** The new path for an old storefront path. */
  findRedirect: (businessId: string, path: string) => Promise<string | null>;
  isDemo: (businessId: string) => boolean;
};

export function addRoutes(app: App, options: RouteOptions): SiteRoutes {
  addApi(app);
  return addPages(app, options);
}

function addApi(app: App): void {
  businessRoutes(app);
  roleRoutes(app);
  storefrontRoutes(app);
  mailTemplateRoutes(app);
  senderRoutes(app);
  customerRoutes(app);
  invitationRoutes(app);
  accountRoutes(app);
  eventRoutes(app);
  webhookRoutes(app);
  mediaRoutes(app);
  publishingRoutes(app);
  redirectRoutes(app);
  categoryRoutes(app);
  productRoutes(app);
  stockAlertRoutes(app);
  stockRoutes(app);
  productVersionRoutes(app);
  collectionRoutes(app);
  entryRoutes(app);
  entryVersionRoutes(app);
  addressRoutes(app);
  previewRoutes(app);
  promoRoutes(app);
  quoteRoutes(app);
  cartRoutes(app);
  paymentRoutes(app);
  orderRoutes(app);
  subscriptionRoutes(app);
  segmentRoutes(app);
  formRoutes(app);
  signupFormPage(app);
  automationRoutes(app);
  suppressionRoutes(app);
  sendStatsRoutes(app);
  sendRoutes(app);
  renderingRoutes(app);
  statsRoutes(app);
  importRoutes(app);
  privacyRoutes(app);
}

function addPages(app: App, options: RouteOptions): SiteRoutes {
  const { config, bundles, outbox, publicUrl, idp, findDemo, isDemo, findRedirect } = options;
  const { production, dataDir } = config;
  assetRoutes(app);
  bundleRoutes(app, bundles);
  const site = siteRoutes(app, {
    bundles,
    loadModule: createModuleLoader(bundles),
    sessions: createSessions(config.secretKey),
    publicUrl,
    isDemo,
    findRedirect,
    isGone: (businessId, path) => isGone(app.contexts.system().db, businessId, path),
  });
  homeRoutes(app, { production, site, findDemo });
  adminSessionRoutes(app, { production, publicUrl });
  const demoLogin = async () => (production ? null : readDemoLogin(dataDir));
  adminPages(app, { production, bundles, publicUrl, idp, readDemoLogin: demoLogin });
  accountPages(app);
  invitationPages(app);
  payRoutes(app);
  orderPage(app);
  planPage(app);
  unsubscribePage(app);
  newsletterPage(app);
  mailLinks(app);
  confirmSubscriptionPage(app);
  cartReminderPage(app);
  referenceRoutes(app, bundles, publicUrl);
  if (!production) mailboxRoutes(app, outbox, publicUrl);
  return site;
}
