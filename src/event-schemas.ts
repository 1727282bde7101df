/** The schema of the data of every event type. A type without a schema does not compile. */
import type { TSchema } from 'typebox';
import { accountBusinessEvents, accountEvents } from './domains/accounts/index.ts';
import { businessEvents } from './domains/businesses/index.ts';
import { cartEvents } from './domains/carts/index.ts';
import { catalogEvents } from './domains/catalog/index.ts';
import { contentEvents } from './domains/content/index.ts';
import { importEvents } from './domains/imports/index.ts';
import { mediaEvents } from './domains/media/index.ts';
import { newsletterEvents } from './domains/newsletters/index.ts';
import { orderEvents } from './domains/orders/index.ts';
import { pricingEvents } from './domains/pricing/index.ts';
import { privacyEvents } from './domains/privacy/index.ts';
import { publishingEvents } from './domains/publishing/index.ts';
import { redirectEvents } from './domains/redirects/index.ts';
import { webhookEvents } from './domains/webhooks/index.ts';
import type { AccountEventType, EventType } from './shared/events.ts';

export const EVENT_SCHEMAS = {
  ...catalogEvents,
  ...redirectEvents,
  ...orderEvents,
  ...cartEvents,
  ...pricingEvents,
  ...contentEvents,
  ...publishingEvents,
  ...mediaEvents,
  ...newsletterEvents,
  ...businessEvents,
  ...privacyEvents,
  ...accountBusinessEvents,
  ...importEvents,
  ...webhookEvents,
} satisfies Record<EventType, TSchema>;

/** The same for the events of accounts. */
export const ACCOUNT_EVENT_SCHEMAS = accountEvents satisfies Record<AccountEventType, TSchema>;
