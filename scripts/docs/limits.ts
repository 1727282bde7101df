import { readFileSync } from 'node:fs';
import { SETTINGS } from '../../src/config/settings.ts';
import { code, table } from './markdown.ts';
import { schemaLimit } from './openapi.ts';

/** Reads a numeric constant from a source file. */
function constant(file: string, name: string): number {
  const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
  const value = new RegExp(`^(?:export )?const ${name} = ([\\d_ *]+);$`, 'm').exec(source)?.[1];
  if (value === undefined) throw new Error(`src/${file} has no constant ${name}.`);
  return value.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

const count = (value: number) => value.toLocaleString('en-US');
const UNITS: [bytes: number, name: string][] = [
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
];
function bytes(value: number): string {
  const [unit, name] = UNITS.find(([each]) => value % each === 0) ?? [1, 'bytes'];
  return `${count(value / unit)} ${name}`;
}
const TIMES: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];
function seconds(value: number): string {
  const [unit, name] = TIMES.find(([each]) => value % each === 0) ?? [1, 'second'];
  return `${value / unit} ${name}${value === unit ? '' : 's'}`;
}

const RATE_LIMITS = SETTINGS.filter(({ name }) => name.startsWith('LIMIT_'));

export function limitsPage(): string {
  const rates = RATE_LIMITS.map((setting) => [
    setting.description.replace(/\.$/, ''),
    setting.default,
    code(setting.name),
  ]);
  return `# Limits

## Rate limits

Requests over a limit get 429 with \`Retry-After\`. All processes share the counts, except for \`LIMIT_ANONYMOUS\`. The operator sets the limits.

${table(['Limit', 'Value', 'Setting'], rates)}

## Requests

${table(
  ['Limit', 'Value'],
  [
    ['JSON body, unless listed below', bytes(constant('http/server.ts', 'JSON_BODY_LIMIT'))],
    [
      'Business, tax preview, product or bulk price body',
      bytes(
        Math.max(
          constant('domains/businesses/schemas.ts', 'BUSINESS_BYTES'),
          constant('domains/catalog/products/schemas.ts', 'PRODUCT_BYTES'),
        ),
      ),
    ],
    ['Cart, quote, shipping options or checkout body', bytes(constant('domains/pricing/schemas.ts', 'CART_BYTES'))],
    ['JSON nesting', `${constant('http/bodies/json.ts', 'MAX_DEPTH')} levels`],
    ['List page', `100 items, about ${bytes(constant('shared/paging.ts', 'PAGE_BYTES'))}; 20 items by default`],
    ['Bank statement', bytes(constant('domains/orders/bank-transfer/parse-statement.ts', 'MAX_STATEMENT_BYTES'))],
    ['`Idempotency-Key` retention', seconds(constant('db/idempotency.ts', 'KEPT_SECONDS'))],
    [
      'Open event streams',
      `${count(constant('domains/events/stream.ts', 'MAX_STREAMS'))} per process, ${constant('domains/events/stream.ts', 'MAX_PER_BUSINESS')} per business, ${constant('domains/events/stream.ts', 'MAX_PER_ACCOUNT')} per user`,
    ],
  ],
)}

## Shop

${table(
  ['Limit', 'Value'],
  [
    ['Variants per product', count(schemaLimit('ProductInput.variants', 'maxItems'))],
    ['Images per gallery', count(schemaLimit('ProductInput.gallery', 'maxItems'))],
    ['Custom fields per product, blocks per entry', count(schemaLimit('ProductInput.blocks', 'maxItems'))],
    ['Stock per variant', count(constant('domains/catalog/products/schemas.ts', 'MAX_STOCK'))],
    ['Markets and shipping methods per business', `${schemaLimit('Configs.markets', 'maxItems')} each`],
    ['Items per cart', count(schemaLimit('CheckoutInput.items', 'maxItems'))],
    ['Items per order created by a member', count(schemaLimit('OrderInput.lines', 'maxItems'))],
    ['Custom fields per order, total size', bytes(constant('domains/orders/order-blocks.ts', 'MAX_BYTES'))],
    ['Quote lifetime', seconds(constant('domains/pricing/quote.ts', 'QUOTE_SECONDS'))],
    ['Discounts and conditions per promo code', `${schemaLimit('PromoInput.discounts', 'maxItems')} each`],
    ['Invitation lifetime', seconds(constant('domains/businesses/invitations/invite.ts', 'INVITATION_SECONDS'))],
  ],
)}

## Content, media and newsletters

${table(
  ['Limit', 'Value'],
  [
    ['Text per block', `${count(constant('shared/blocks/settings.ts', 'MAX_TEXT'))} characters`],
    ['Options per select block', count(constant('shared/blocks/settings.ts', 'MAX_OPTIONS'))],
    ['Items per release', count(schemaLimit('ReleaseInput.items', 'maxItems'))],
    ['Scheduled statuses per record', count(constant('shared/records/status-schedule.ts', 'MAX_SCHEDULED'))],
    ['Preview link lifetime', seconds(constant('domains/publishing/preview.ts', 'PREVIEW_SECONDS'))],
    ['File uploaded with a form or by URL', '25 MiB (`MEDIA_MAX_UPLOAD`)'],
    ['File uploaded in parts', bytes(schemaLimit('LargeUploadInput.size', 'maximum'))],
    [
      'Image',
      `${count(constant('providers/images/child.ts', 'MAX_PIXELS') / 1e6)} million pixels across all frames, ${count(constant('providers/images/child.ts', 'MAX_FRAMES'))} frames`,
    ],
    ['Plans per newsletter', count(schemaLimit('CollectionInput.plans', 'maxItems'))],
    [
      'Rendered email',
      `${count(constant('domains/newsletters/rendering/message-size.ts', 'MAX_MESSAGE_BYTES'))} bytes`,
    ],
  ],
)}

## Integrations

${table(
  ['Limit', 'Value'],
  [
    ['Webhooks per business', count(constant('domains/webhooks/manage-webhooks.ts', 'MAX_WEBHOOKS'))],
    ['Event types per webhook', count(schemaLimit('WebhookInput.events', 'maxItems'))],
    ['Import file', bytes(constant('domains/imports/create-import.ts', 'MAX_FILE_BYTES'))],
    ['Import file row', bytes(constant('domains/imports/source/rows.ts', 'MAX_ROW_BYTES'))],
    ['Columns per import file', count(constant('domains/imports/source/csv.ts', 'MAX_COLUMNS'))],
    ['Queued and running imports per business', count(constant('domains/imports/create-import.ts', 'MAX_OPEN'))],
  ],
)}`;
}
