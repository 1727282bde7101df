/** Labels for the fields that errors name: `configs.shippingMethods[0].countries[0]` becomes "Shipping method 1 › Countries". */
import { type TextKey, t } from './index.ts';

/** List items, which are also numbered. */
const ITEMS: Record<string, TextKey> = {
  addresses: 'orders.address',
  blocks: 'content.field',
  conditions: 'promoCodes.condition',
  discounts: 'promoCodes.discount',
  gallery: 'blocks.image',
  items: 'orders.item',
  lines: 'orders.item',
  locations: 'shipping.locationItem',
  markets: 'orders.market',
  orderBlocks: 'settings.orderField',
  plans: 'newsletters.plan',
  prices: 'products.price',
  rates: 'shipping.rateItem',
  shippingMethods: 'orders.shippingMethod',
  steps: 'automations.step',
  taxClasses: 'taxes.className',
  taxRates: 'taxes.rateItem',
  variants: 'products.variant',
  zones: 'shipping.zoneItem',
};

const FIELDS: Record<string, TextKey> = {
  address: 'settings.address',
  adjust: 'products.adjustBy',
  alt: 'media.alt',
  amount: 'orders.refundAmount',
  at: 'newsletters.consentAt',
  barcode: 'products.barcode',
  billingAddress: 'addresses.billing',
  bps: 'promoCodes.percent',
  carrier: 'orders.carrier',
  category: 'products.category',
  city: 'parts.city',
  classId: 'taxes.class',
  code: 'promoCodes.code',
  collectionId: 'imports.collection',
  company: 'addresses.company',
  compareAtPrice: 'products.compareAt',
  consent: 'newsletters.consent',
  countries: 'settings.countries',
  country: 'parts.country',
  creditSeries: 'invoices.creditSeries',
  currency: 'settings.currency',
  customerId: 'orders.customer',
  description: 'settings.description',
  email: 'settings.email',
  bic: 'invoices.bic',
  delaySeconds: 'automations.delay',
  entryId: 'automations.email',
  etaText: 'settings.eta',
  events: 'settings.events',
  features: 'newsletters.benefits',
  freeAbove: 'shipping.freeAbove',
  from: 'settings.from',
  fromName: 'settings.fromName',
  hsCode: 'products.hsCode',
  iban: 'invoices.iban',
  interval: 'newsletters.interval',
  label: 'settings.label',
  legalName: 'settings.legalName',
  legalText: 'invoices.legalText',
  locale: 'content.language',
  lowStockThreshold: 'products.threshold',
  market: 'orders.market',
  marketId: 'orders.market',
  max: 'settings.max',
  maxLength: 'settings.maxLength',
  maxSubtotal: 'shipping.toValue',
  maxWeight: 'shipping.toWeight',
  min: 'settings.min',
  minLength: 'settings.minLength',
  minSubtotal: 'shipping.fromValue',
  minWeight: 'shipping.fromWeight',
  name: 'settings.name',
  newPassword: 'account.newPassword',
  nextNumber: 'invoices.nextNumber',
  note: 'customers.note',
  oldPassword: 'account.oldPassword',
  options: 'settings.options',
  origin: 'taxes.originCountry',
  originCountry: 'products.originCountry',
  password: 'shell.password',
  paymentMethod: 'orders.paymentMethod',
  paymentMethods: 'settings.paymentMethods',
  permissions: 'settings.permissions',
  phone: 'customers.phone',
  phoneNumbers: 'account.phoneNumbers',
  pickupLocationId: 'addresses.pickup',
  planId: 'newsletters.plan',
  price: 'products.price',
  promoCode: 'orders.promoCode',
  publicKey: 'settings.publicKey',
  quantity: 'products.quantity',
  reason: 'orders.refundReason',
  replyTo: 'settings.replyTo',
  roleIds: 'settings.roles',
  series: 'invoices.series',
  scheduledAt: 'newsletters.sendAt',
  secret: 'settings.signingSecret',
  secretKey: 'settings.secretKey',
  shippingAddress: 'addresses.shipping',
  shippingMethodId: 'orders.shippingMethod',
  sku: 'products.sku',
  slug: 'settings.slug',
  source: 'newsletters.consentSource',
  state: 'parts.state',
  states: 'shipping.states',
  status: 'settings.status',
  statuses: 'settings.status',
  street: 'parts.street',
  street2: 'addresses.street2',
  tags: 'customers.tags',
  taxBps: 'settings.taxRate',
  taxClassId: 'taxes.class',
  taxId: 'settings.taxId',
  taxMode: 'settings.taxMode',
  timeZone: 'settings.timeZone',
  title: 'media.fileTitle',
  to: 'settings.to',
  type: 'settings.fieldType',
  url: 'settings.url',
  value: 'products.blockValue',
  variantId: 'products.variant',
  vatId: 'addresses.vatId',
  webhookSecret: 'settings.webhookSecret',
  weight: 'products.weight',
  zip: 'parts.zip',
  zips: 'shipping.zips',
};

/** Nesting levels in the API that forms don't show. */
const HIDDEN = new Set([
  'configs',
  'inventory',
  'invoicing',
  'seller',
  'bank',
  'paymentProvider',
  'pricing',
  'profile',
  'settings',
  'tax',
  'tracking',
]);
/** Lists whose items have an ID that the settings forms call a code. */
const HAVE_CODES = new Set(['markets', 'orderBlocks', 'shippingMethods']);

/** `names` has the labels of a form, by the name of the field or, for blocks, by `block.<id>`. */
export function fieldLabel(path: string, names: Partial<Record<string, string>> = {}): string {
  const segments = path.split('.');
  const block = segments[0] === 'blocks' && names[`block.${segments[1]}`];
  if (block) return block;
  const labels: string[] = [];
  let list = '';
  for (const [i, segment] of segments.entries()) {
    const [, name = segment, index] = /^(.+?)\[(\d+)\]$/.exec(segment) ?? [];
    if (HIDDEN.has(name) && segments.length > 1) continue;
    const isLast = i === segments.length - 1;
    if (index !== undefined && (ITEMS[name] || !isLast)) {
      labels.push(`${ITEMS[name] ? t(ITEMS[name]) : readable(name)} ${Number(index) + 1}`);
      list = name;
    } else if (name === 'id' && HAVE_CODES.has(list)) labels.push(t('settings.code'));
    else labels.push(names[name] ?? (FIELDS[name] ? t(FIELDS[name]) : readable(name)));
  }
  return labels.join(' › ');
}

/** `externalId` becomes "External ID". */
function readable(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const text = words.replaceAll(/\b(id|url|sku|html|api)\b/g, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}
