/**
 * The fields in API responses, copied by hand from the documented API: names, types, and optional fields (`?`). They are not
 * derived from the code, so that the tests notice a difference.
 */
import assert from 'node:assert/strict';
import type { Json } from '../harness.ts';

/** A type name, a list of one type, or the fields of an object. */
export type FieldType = 'string' | 'integer' | 'boolean' | 'object' | 'any' | 'string or null' | [FieldType] | Fields;
export type Fields = { [field: string]: FieldType };

const STATUS_ENTRY: Fields = {
  id: 'string',
  status: 'string',
  changedBy: 'string',
  'userId?': 'string',
  timestamp: 'integer',
};

const MEDIA: Fields = { id: 'string', url: 'string', mimeType: 'string' };

/** A block in the schema of a collection. `BLOCK` adds a value. */
const BLOCK_DEFINITION: Fields = {
  id: 'string',
  type: 'string',
  'label?': 'string',
  'required?': 'boolean',
  'settings?': 'object',
};
const BLOCK: Fields = { ...BLOCK_DEFINITION, value: 'any' };

const VARIANT: Fields = {
  id: 'string',
  name: 'string',
  sku: 'string',
  attributes: [{ name: 'string', value: 'string' }],
  pricing: {
    markets: [
      {
        marketId: 'string',
        currency: 'string',
        price: 'integer',
        'compareAtPrice?': 'integer',
        'lowestPrice30?': 'integer',
        // Not in the documented API:
        'unitPrice?': { amount: 'integer', per: 'string', quantity: 'any' },
      },
    ],
  },
  inventory: { tracked: 'boolean', quantity: 'integer', 'lowStockThreshold?': 'integer' },
  'gallery?': [MEDIA],
  // Not in the documented API:
  requiresShipping: 'boolean',
  'unitPricing?': { amount: 'any', unit: 'string', reference: 'any' },
  'weight?': 'integer',
  'barcode?': 'string',
  'hsCode?': 'string',
  'originCountry?': 'string',
};

export const PRODUCT: Fields = {
  id: 'string',
  businessId: 'string',
  name: 'string',
  slug: 'string',
  description: 'string',
  category: 'string',
  gallery: [MEDIA],
  variants: [VARIANT],
  statuses: [STATUS_ENTRY],
  'blocks?': [BLOCK],
  createdAt: 'integer',
  updatedAt: 'integer',
  // Not in the documented API:
  taxClassId: 'string',
  categoryIds: ['string'],
  relatedIds: ['string'],
  'defaultSlug?': 'string',
  'descriptionHtml?': 'string',
  'seo?': 'object',
  'translations?': 'object',
  'manufacturer?': 'object',
  'safety?': 'object',
};

const ORDER_LINE: Fields = {
  type: 'string',
  productId: 'string',
  variantId: 'string',
  quantity: 'integer',
  unitPrice: 'integer',
  totalPrice: 'integer',
  // Not in the documented API:
  id: 'string',
  name: 'string',
  variantName: 'string',
  sku: 'string',
  options: [{ name: 'string', value: 'string' }],
  image: 'any',
  discount: 'integer',
  tax: 'integer',
  taxBps: 'integer',
  requiresShipping: 'boolean',
  'weight?': 'integer',
};

/** Fields of quotes and orders that are not in the documented API. */
const DELIVERY: Fields = {
  taxLines: [{ name: 'string', bps: 'integer', base: 'integer', amount: 'integer', 'country?': 'string' }],
  shippingTax: 'integer',
  taxExempt: 'string or null',
  shippingAddress: 'any',
  billingAddress: 'any',
  pickupLocationId: 'string or null',
};

/** The specification lists the first fields and mentions that there are others. */
const DISPLAY: Fields = {
  taxIncluded: 'boolean',
  subtotal: 'integer',
  shipping: 'integer',
  discount: 'integer',
  tax: 'integer',
  total: 'integer',
};

const TRACKING: Fields = { 'carrier?': 'string', 'number?': 'string', 'url?': 'string' };
const SHIPMENT: Fields = {
  id: 'string',
  lines: [{ lineId: 'string', quantity: 'integer' }],
  'tracking?': TRACKING,
  'userId?': 'string',
  createdAt: 'integer',
  updatedAt: 'integer',
};

export const ORDER: Fields = {
  id: 'string',
  customerId: 'string',
  market: 'string',
  currency: 'string',
  lines: [ORDER_LINE],
  subtotal: 'integer',
  tax: 'integer',
  shipping: 'integer',
  total: 'integer',
  statuses: [STATUS_ENTRY],
  paymentStatus: [STATUS_ENTRY],
  // Not in the documented API:
  businessId: 'string',
  number: 'integer',
  display: DISPLAY,
  ...DELIVERY,
  locale: 'string or null',
  discount: 'integer',
  taxBps: 'integer',
  promoCode: 'string or null',
  shippingMethodId: 'string or null',
  paymentMethod: 'string or null',
  email: 'string or null',
  paid: 'integer',
  refunded: 'integer',
  fulfillment: 'string',
  shipments: [SHIPMENT],
  cancelledLines: [{ lineId: 'string', quantity: 'integer' }],
  returnable: [{ lineId: 'string', quantity: 'integer' }],
  // For members only.
  'refundable?': {
    amount: 'integer',
    shipping: 'integer',
    lines: [{ lineId: 'string', quantity: 'integer', amount: 'integer' }],
  },
  'tags?': ['string'],
  'assignee?': 'string or null',
  'notes?': ['object'],
  'tracking?': TRACKING,
  blocks: [BLOCK],
  createdAt: 'integer',
  updatedAt: 'integer',
};

export const CHECKOUT_PAYABLE: Fields = { checkoutUrl: 'string', orderId: 'string' };
export const CHECKOUT_DONE: Fields = { orderId: 'string', status: 'string' };

export const QUOTE: Fields = {
  lines: [ORDER_LINE],
  subtotal: 'integer',
  tax: 'integer',
  taxBps: 'integer',
  shipping: 'integer',
  discount: 'integer',
  total: 'integer',
  currency: 'string',
  // Not in the documented API:
  id: 'string',
  market: 'string',
  display: DISPLAY,
  ...DELIVERY,
  shippingMethodId: 'string or null',
  expiresAt: 'integer',
  promoCode: 'string or null',
};

export const USER: Fields = {
  id: 'string',
  name: 'string',
  'email?': 'string',
  isConfirmed: 'boolean',
  phoneNumbers: ['string'],
  addresses: [{ street: 'string', city: 'string', state: 'string', zip: 'string', country: 'string' }],
  roleIds: ['string'],
  // The specification does not list businessId.
  roles: [{ id: 'string', name: 'string', permissions: ['string'], businessId: 'string' }],
  // Nor expiresAt, lastUsedAt, scopes or networks.
  apiTokens: [
    {
      id: 'string',
      name: 'string',
      value: 'string',
      provider: 'string',
      'expiresAt?': 'integer',
      'lastUsedAt?': 'integer',
      'scopes?': { businesses: ['string'], permissions: ['string'] },
      'networks?': ['string'],
    },
  ],
  businessUserConfigs: [{ businessId: 'string', settings: 'object' }],
  // lastLoginAt is set from the first login on.
  lifecycle: { 'lastLoginAt?': 'integer', onboardingCompleted: 'boolean' },
  // Only in the profile of the caller. The specification does not list it.
  'pendingRoleIds?': ['string'],
  'secondFactor?': { methods: ['string'], requiredBy: [{ businessId: 'string', from: 'integer' }] },
};

export const AUTH_RESULT: Fields = {
  userId: 'string',
  provider: 'string',
  accessToken: 'string',
  refreshToken: 'string',
  tokenType: 'string',
  expiresAt: 'integer',
  scope: 'string',
  isGuest: 'boolean',
  // With a publishable key.
  'businessId?': 'string',
};

const PLAN: Fields = {
  id: 'string',
  name: 'string',
  description: 'string',
  price: { amount: 'integer', currency: 'string', interval: 'string' },
  features: ['string'],
};

export const COLLECTION: Fields = {
  id: 'string',
  businessId: 'string',
  name: 'string',
  slug: 'string',
  description: 'string',
  type: 'string',
  blocks: [BLOCK_DEFINITION],
  statuses: [STATUS_ENTRY],
  plans: [PLAN],
  createdAt: 'integer',
  updatedAt: 'integer',
  // Not in the documented API:
  settings: 'object',
};

export const ENTRY: Fields = {
  id: 'string',
  owner: 'string',
  locale: 'string',
  blocks: [BLOCK],
  statuses: [STATUS_ENTRY],
  // Not in the documented API:
  businessId: 'string',
  'slug?': 'string',
  access: 'string',
  'planIds?': ['string'],
  'locked?': 'boolean',
  'seo?': 'object',
  createdAt: 'integer',
  updatedAt: 'integer',
};

export const GENERATED: Fields = { blocks: [{ id: 'string', type: 'string', value: 'any' }] };

export const SUBSCRIPTION: Fields = {
  id: 'string',
  entity: 'string',
  email: 'string',
  planId: 'string',
  status: 'string',
  createdAt: 'integer',
  updatedAt: 'integer',
};

export const VARIABLES: Fields = { variables: [{ name: 'string', description: 'string', example: 'string' }] };

/** Bodies that the specification does not show. */
export const SUCCESS: Fields = { success: 'boolean' };
export const SEND: Fields = {
  id: 'string',
  entryId: 'string',
  status: 'string',
  scheduledAt: 'integer',
  recipients: 'integer',
};

export const ERROR: Fields = {
  error: 'string',
  message: 'string',
  'challenge?': 'string',
  'methods?': ['string'],
  details: [{ field: 'string', error: 'string', message: 'string' }],
  validationErrors: [{ field: 'string', error: 'string' }],
};

/** The cursor is null on the last page. */
export const pageOf = (item: Fields): Fields => ({
  items: [{ ...item, 'etag?': 'string' }],
  cursor: 'string or null',
});

/** Fails unless the value has exactly the expected fields, with their types. */
export function checkFields(value: Json, expected: FieldType, at = 'response'): void {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(value), `${at} is an array`);
    for (const [i, item] of (value as Json[]).entries()) checkFields(item, expected[0], `${at}[${i}]`);
  } else if (typeof expected === 'object') {
    assert.ok(isRecord(value), `${at} is an object, not ${JSON.stringify(value)}`);
    const names = Object.keys(expected).map((name) => name.replace('?', ''));
    const unexpected = Object.keys(value).filter((name) => !names.includes(name));
    assert.deepEqual(unexpected, [], `unexpected fields of ${at}`);
    for (const [name, inner] of Object.entries(expected)) {
      const field = name.replace('?', '');
      if (value[field] === undefined && name.endsWith('?')) continue;
      assert.ok(field in value, `${at}.${field} exists`);
      checkFields(value[field], inner, `${at}.${field}`);
    }
  } else assert.ok(hasType(value, expected), `${at} is of type ${expected}, not ${JSON.stringify(value)}`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasType(value: unknown, type: Exclude<FieldType, object>): boolean {
  if (type === 'any') return value !== undefined;
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'object') return isRecord(value);
  if (type === 'string or null') return value === null || typeof value === 'string';
  return typeof value === type;
}
