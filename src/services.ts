/** Creates the services of all domains. Passes each domain the functions that it needs from domains above it. */
import type { AppServices, Platform, Steps } from './context/index.ts';
import type { connect } from './db/connections.ts';
import { createAccounts, listAdminEmails, namesOf, readCaller, unconfirmKeys } from './domains/accounts/index.ts';
import { createBusinesses, customerData, existingPeople, filterUsersWithActivity } from './domains/businesses/index.ts';
import { cartData, createCarts, previewReminder } from './domains/carts/index.ts';
import {
  createCatalog,
  existingProducts,
  productKind,
  refreshCategoryMedia,
  refreshProductMedia,
  stockAlertData,
} from './domains/catalog/index.ts';
import { collectionKind, createContent, entryKind, refreshEntryMedia } from './domains/content/index.ts';
import { createEvents } from './domains/events/index.ts';
import { createImports } from './domains/imports/index.ts';
import { createMedia, deleteFilesOf, existingMedia } from './domains/media/index.ts';
import {
  automationData,
  createNewsletters,
  deleteSubscriptionsOf,
  deletionGuard,
  deliveryData,
  findActivePlans,
  findSuppressed,
  listSentEntries,
  planPayments,
  previewSubscriptionMail,
  subscribersOf,
  subscriptionData,
  suppressionData,
} from './domains/newsletters/index.ts';
import {
  createOrders,
  customersOf,
  existingOrders,
  findOrderForEntry,
  hasOrdered,
  listCustomersAmong,
  orderData,
  orderPayments,
  previewOrderMail,
} from './domains/orders/index.ts';
import { createPayments, endBusinessAtProvider } from './domains/payments/index.ts';
import { createPricing, vatCheckData } from './domains/pricing/index.ts';
import { createPrivacy } from './domains/privacy/index.ts';
import { createPublishing } from './domains/publishing/index.ts';
import { createWebhooks } from './domains/webhooks/index.ts';
import { ACCOUNT_EVENT_SCHEMAS, EVENT_SCHEMAS } from './event-schemas.ts';
import type { Mailer } from './providers/mail/port.ts';

type Connections = Awaited<ReturnType<typeof connect>>;

/** `system`: creates contexts once all services are created. */
type ServiceOptions = { system: () => Steps<AppServices>; mailer: Mailer } & Pick<Connections, 'snapshots'>;

/** Leaving out a service does not compile. */
export async function createServices(
  platform: Platform,
  { system, mailer, snapshots }: ServiceOptions,
): Promise<AppServices> {
  const events = createEvents(
    platform,
    { namesOf, filterUsersWithActivity },
    { ...EVENT_SCHEMAS, ...ACCOUNT_EVENT_SCHEMAS },
  );
  const businesses = createBusinesses(
    platform,
    {
      deleteFiles: (businessId, signal) => deleteFilesOf(media.storage, businessId, signal),
      endPayments: endBusinessAtProvider,
    },
    {
      previews: { order: previewOrderMail, subscription: previewSubscriptionMail, cart: previewReminder },
      listAdmins: listAdminEmails,
      readCaller,
      unconfirmKeys,
    },
  );
  const accounts = await createAccounts(platform, {
    system,
    relatedUsers: [customersOf, subscribersOf],
    owners: [listCustomersAmong],
  });
  const webhooks = createWebhooks(platform, events);
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
  const orders = createOrders(platform);
  const newsletters = createNewsletters(platform, { system, events, mailer });
  const imports = createImports(platform, { thread: new URL('./import-thread.ts', import.meta.url), snapshots });
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
  return {
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
    orders,
    newsletters,
    imports,
    privacy,
  };
}
