import { READABLE_BY } from '../../src/domains/events/stream.ts';
import { ACCOUNT_EVENT_TYPES, EVENT_TYPES, type EventType } from '../../src/shared/events.ts';
import { code, groupBy, table } from './markdown.ts';
import { eventDataSchema } from './openapi.ts';

const kindOf = (type: string) => type.split('.')[0]!;

/** Details that the name of an event does not express. */
const NOTES: Partial<Record<EventType, string>> = {
  'inventory.low':
    "A sale or adjustment brought a tracked variant's stock to or below its `lowStockThreshold`. `data` contains the variant and its quantity. The entity is the product.",
  'order.created': 'Created at checkout or by a member.',
  'order.imported': 'Emitted instead of `order.created`, so that nothing is shipped twice.',
  'order.status_changed': '`data.statuses` ends with the new status.',
  'order.payment_changed': '`data.paymentStatus` ends with the new status.',
  'order.refunded': '`data.refundedAmount` is the amount of this refund.',
  'order.disputed': 'A payment dispute was opened, won or lost.',
  'order.invoiced': 'An invoice was issued.',
  'order.credited': 'A credit note was issued.',
  'order.mail_resent': 'A member resent an order email.',
  'order.mail_withheld':
    'An order email was withheld because too many were sent to the address. `data.mail` is the kind of email.',
  'stock_alert.created': 'Someone asked to be emailed when a variant is back in stock.',
  'stock_alert.sent':
    'The back-in-stock emails for a variant were sent and the requests were deleted. `data.count` is the number of emails. The entity is the product.',
  'cart.ordered': 'The cart was checked out.',
  'cart.reminded': 'The customer got a reminder about the cart.',
  'product.draft_saved': '`data` is the published version. Drafts are never sent.',
  'entry.draft_saved': '`data` is the published version. Drafts are never sent.',
  'entry.published': 'The entry or its draft was published.',
  'release.published': 'All items were published at the same time.',
  'release.failed': 'No item was published. `data.failure` contains the reason.',
  'subscription.confirmed': 'The subscriber confirmed by email.',
  'subscription.renewed': 'The payment for the next period was received.',
  'subscription.bounced': 'Emails to the address hard-bounced, or soft-bounced repeatedly, so the subscription ended.',
  'automation.stopped': 'A member removed a person from the automation. The entity is the subscription.',
  'newsletter.decided': 'An A/B test has a winner.',
  'newsletter.sent': 'The send is complete.',
  'customer.erased': 'The personal data of this customer was erased.',
  'business.host_verified': 'The DNS record of a storefront host was found.',
  'business.sender_updated': 'The sender address was set or removed.',
  'business.sender_checked':
    'A member checked the DNS records of the sender address, or the daily check changed its verification status.',
  'support.started': 'An ADMIN started viewing the storefront as a customer.',
  'webhook.disabled': 'Disabled by the system after `410 Gone` or three days of failures.',
  'webhook.test': 'A test delivery. Not part of the feed.',
};

export function eventsPage(): string {
  const readers = (kind: string) =>
    READABLE_BY.filter(([, types]) => types.includes(`${kind}.*`)).map(([name]) => code(name));
  const groups = groupBy(EVENT_TYPES, kindOf).map(([kind, types]) => {
    const rows = types.map((type) => {
      const schema = eventDataSchema(type);
      return [code(type), schema ? code(schema) : '', NOTES[type] ?? ''];
    });
    const also = readers(kind);
    const who = also.length > 0 ? `Stream: \`ADMIN\`, ${also.join(', ')}.` : 'Stream: `ADMIN`.';
    return `## ${kind}\n\n${who}\n\n${table(['Type', 'Data', 'Notes'], rows)}`;
  });
  return `# Event types

Subscribe to one type (\`order.created\`), all types of a group (\`order.*\`) or everything (\`*\`). [Events](../extend/events.md) describes the
fields of an event. The *Data* column names the schema of \`data\` in <a href="/openapi.json">openapi.json</a>.
The feed and webhooks require \`ADMIN\`. The stream (\`GET …/events/stream\`) is also available with the permissions listed below.

${groups.join('\n\n')}

## Accounts

Account events don't belong to a business. \`GET /v1/users/me/audit\` lists them for the account's owner.

${ACCOUNT_EVENT_TYPES.map((type) => `- ${code(type)}`).join('\n')}`;
}
