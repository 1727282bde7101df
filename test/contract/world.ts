/** A business with one record of each type, for use in requests. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { GOOD_PASSWORD } from '../accounts/people.ts';
import type { Harness, Json } from '../harness.ts';
import type { Known } from './hostile.ts';

export type World = Awaited<ReturnType<typeof createWorld>>;

const CONFIGS = {
  markets: [
    { id: 'us', name: 'US', currency: 'usd', taxMode: 'INCLUSIVE', taxBps: 825, paymentMethods: [{ method: 'CASH' }] },
  ],
  shippingMethods: [{ id: 'post', prices: [{ market: 'us', amount: 500, freeAbove: 5000 }], taxable: true }],
  paymentProvider: { type: 'SANDBOX' },
  orderBlocks: [{ id: 'note', type: 'TEXT' }],
  email: { fromName: 'Shop', replyTo: 'a@example.com' },
};

export async function createWorld(h: Harness) {
  const markets = [{ id: 'us', name: 'United States', currency: 'usd' }];
  const businessId = await h.business({ paymentProvider: { type: 'SANDBOX' }, markets });
  const admin = await h.member(businessId, 'ADMIN');
  const guest = await h.guest();
  const { token } = admin;
  const base = `/v1/businesses/${businessId}` as const;
  const key = `key-${randomUUID()}`;

  const call = async <M extends string, P extends string>(method: M, path: P, body?: object) => {
    const response = await h.call(method, path, { token, body });
    assert.equal(response.status, 200, `${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const create = <P extends string>(path: P, body: object) => call('POST', `${base}/${path}`, body);

  await call('PUT', '/v1/users/update', { apiTokens: [{ id: 'ci', name: 'CI', value: key, provider: 'API' }] });
  const pricing = { markets: [{ marketId: 'us', currency: 'usd', price: 100 }] };
  const variants = [
    { id: 'one', name: 'One', pricing, inventory: { tracked: true, quantity: 100_000 } },
    { id: 'none', name: 'Sold out', pricing, inventory: { tracked: true, quantity: 0 } },
  ];
  const { id: productId } = await create('products', { name: 'Mug', variants });
  const lines = [{ type: 'PRODUCT_VARIANT', productId, variantId: 'one', quantity: 1 }];
  const { id: collectionId } = await create('collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    statuses: [{ status: 'PUBLISHED' }],
    blocks: [{ id: 'title', type: 'TEXT' }],
    plans: [
      { id: 'free', name: 'Free' },
      { id: 'club', name: 'Club', price: { amount: 500, currency: 'usd', interval: 'MONTHLY' } },
    ],
  });
  const blocks = [{ id: 'title', type: 'TEXT', value: 'Hello' }];
  const { id: entryId } = await create('entries', { collectionId, blocks, statuses: [{ status: 'PUBLISHED' }] });
  const category = await create('categories', { name: 'Shirts', translations: { de: { slug: 'hemden' } } });
  const redirect = await create('redirects', { from: '/old', to: '/new' });
  const [release, order, promo, send, role, quote, sessions, customer, webhook, invitation, subscriber] =
    await Promise.all([
      create('releases', { name: 'Spring', at: h.clock.seconds() + 86_400, items: [entryId, productId] }),
      create('orders', {
        email: 'order@example.com',
        customerId: guest.userId,
        market: 'us',
        lines: [{ ...lines[0], quantity: 20 }],
        paymentStatus: [{ status: 'PAID' }],
      }),
      create('promo-codes', { code: 'TEN', discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }] }),
      create(`entries/${entryId}/send`, { scheduledAt: h.clock.seconds() + 86_400 }),
      call('POST', '/v1/roles', { businessId, name: 'Staff', permissions: ['ORDER_READ'] }),
      call('POST', '/v1/payments/quote', { businessId, market: 'us', lines }),
      call('GET', '/v1/users/sessions'),
      create('customers', { email: 'customer@example.com' }),
      create('webhooks', { url: 'http://127.0.0.1:65000/', events: ['webhook.disabled'] }),
      call('GET', `/v1/roles?businessId=${businessId}`).then(({ items }) =>
        create('invitation', { email: `${randomUUID()}@example.com`, roleIds: [items[0]!.id] }),
      ),
      create(`collections/${collectionId}/subscribers`, {
        email: 'reader@example.com',
        planId: 'free',
        consent: { source: 'paper', at: h.clock.seconds() },
      }),
    ]);

  const publishable = await create('publishable-keys', { name: 'Shop', origins: ['https://shop.example'] });
  await call('PUT', `${base}/sso`, { issuer: 'https://login.acme.example', clientId: 'souk' });
  const ownCart = await create('carts', { market: 'us', items: lines });
  const part = [{ lineId: 'line_1', quantity: 1 }];
  const note = await create(`orders/${order.id}/notes`, { text: 'Gift' });
  const shipment = await create(`orders/${order.id}/shipments`, { lines: part });
  const { items: documents } = await call('GET', `${base}/orders/${order.id}/documents`);
  const sold = await create('orders', { customerId: guest.userId, market: 'us', lines, status: 'SHIPPED' });
  const returned = await create(`orders/${sold.id}/returns`, { type: 'RETURN', lines: part });
  const signupForm = await create('forms', { collectionId, name: 'Footer' });
  const segment = await create('segments', {
    name: 'VIP',
    filter: { field: 'subscriber.tag', op: 'is', value: 'vip' },
  });
  const trigger = { type: 'subscription.confirmed', collectionId };
  const automation = await create('automations', { name: 'Welcome', trigger, steps: [{ type: 'TAG', tag: 'new' }] });
  const suppression = await create('suppressions', { email: 'suppressed@example.com' });
  const { id: erasedId } = await create('customers', { email: 'erased@example.com' });
  const erasure = await call('DELETE', `${base}/customers/${erasedId}/personal-data`);

  const form = new FormData();
  form.append('files', new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>']), 'dot.svg');
  const authorization = `Bearer ${token}`;
  const sent = await fetch(`${h.url}${base}/upload`, { method: 'POST', headers: { authorization }, body: form });
  const { items: files } = (await sent.json()) as Json;
  const imported = await fetch(`${h.url}${base}/imports?type=customers`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/csv' },
    body: 'email,name\nmoved@example.com,Bo\n',
  });
  const { id: importId } = (await imported.json()) as Json;
  const uploaded = await fetch(`${h.url}${base}/bank-statements`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/csv' },
    body: 'Buchungstag;Verwendungszweck;Betrag;Waehrung\n16.11.2026;Order 1;1,00;USD\n',
  });
  const { id: statementId } = (await uploaded.json()) as Json;
  const upload = await create('media/uploads', { fileName: 'a.pdf', size: 10, mimeType: 'application/pdf' });

  /** IDs by the preceding path segment. */
  const inPaths: Record<string, string> = {
    businesses: businessId,
    products: productId,
    variants: 'one',
    orders: order.id,
    notes: note.id,
    documents: documents[0]!.id,
    returns: returned.id,
    'bank-statements': statementId,
    shipments: shipment.id,
    collections: collectionId,
    entries: entryId,
    sends: send.id,
    'promo-codes': promo.id,
    categories: category.id,
    redirects: redirect.id,
    carts: ownCart.id,
    roles: role.id,
    sessions: sessions.items[0]!.id,
    'entry-types': 'NEWSLETTER',
    'address-formats': 'DE',
    markets: 'us',
    'mail-templates': 'PAID',
    hosts: 'shop.example.com',
    stripe: businessId,
    customers: customer.id,
    webhooks: webhook.id,
    'publishable-keys': publishable.id,
    'support-sessions': 'none',
    invitation: invitation.id,
    subscribers: subscriber.id,
    suppressions: suppression.id,
    segments: segment.id,
    forms: signupForm.id,
    automations: automation.id,
    people: subscriber.id,
    deliveries: 'evt_none_1',
    releases: release.id,
    versions: '1',
    previews: 'none',
    media: files[0].id,
    uploads: upload.id,
    parts: '1',
    imports: importId,
    erasures: erasure.id,
    passkeys: 'pky_none',
  };
  const known: Known = {
    businessId: [businessId],
    productId: [productId],
    variantId: ['one'],
    collectionId: [collectionId],
    customerId: [guest.userId],
    userId: [guest.userId, admin.userId],
    roleId: [role.id, null],
    quoteId: [quote.id],
    market: ['us'],
    marketId: ['us'],
    currency: ['usd', 'USD'],
    planId: ['free', 'club'],
    plan_id: ['free'],
    quantity: [1, 2, 1_000_000],
    promoCode: ['TEN', null],
    shippingMethodId: ['any', null],
    id: [order.id, 'title'],
    owner: [`collection:${collectionId}`, `order:${order.id}`, 'reservation:r'],
    locale: ['en', 'de-DE'],
    provider: ['EMAIL', 'GUEST', 'OAUTH_IDP', 'SSO', 'EMAIL_REGISTER', 'API'],
    password: [GOOD_PASSWORD, 'weak'],
    oldPassword: [GOOD_PASSWORD],
    newPassword: [GOOD_PASSWORD],
    refreshToken: [admin.refreshToken, token],
    originUrl: ['https://shop.example'],
    redirectUrl: ['https://shop.example/callback'],
    returnUrl: ['https://shop.example/'],
    cancelUrl: ['https://shop.example/'],
    reserveDomain: ['shop.example'],
    phoneNumber: ['+4915112345678', null],
    token: [guest.refreshToken, token],
    email: ['a@example.com'],
    status: ['ACTIVE', 'DRAFT', 'PUBLISHED', 'PENDING', 'CANCELLED', 'PAID', 'REFUNDED'],
    query: ['mug', 'a'],
  };
  const B = '/v1/businesses/{businessId}';
  const sums = { subtotal: 100, tax: 0, shipping: 0, total: 100 };
  const paid = [{ ...lines[0], unitPrice: 100, totalPrice: 100 }];
  const cart = { businessId, market: 'us', currency: 'usd', paymentMethod: 'CREDIT_CARD' };
  const product = { name: 'Cup', variants, statuses: [{ status: 'ACTIVE' }], blocks };
  const definitions = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'GEO_LOCATION', 'MEDIA', 'MULTI_SELECT'].map((type) => ({
    id: type.toLowerCase(),
    type,
    label: type,
    required: true,
    ...(type === 'MULTI_SELECT' ? { settings: { options: ['a', { value: 'b', label: 'B' }] } } : {}),
  }));
  /** Valid bodies for operations whose schemas seldom generate one. */
  const samples: Record<string, Json[]> = {
    [`POST ${B}/products`]: [product],
    [`PUT ${B}/products/{id}`]: [product],
    [`POST ${B}/orders`]: [{ customerId: guest.userId, market: 'us', currency: 'usd', lines: paid, ...sums }],
    [`PUT ${B}/orders/update`]: [{ id: order.id, blocks, statuses: order.statuses }, order],
    [`POST ${B}/orders/checkout`]: [
      { ...cart, items: lines, blocks, promoCode: 'TEN', returnUrl: 'https://shop.example/' },
      { ...cart, items: lines, quoteId: quote.id },
      { ...cart, cartId: ownCart.id },
    ],
    [`POST ${B}/orders/{id}/shipments`]: [{ lines: part, notify: false }, {}],
    [`PUT ${B}/orders/{id}/shipments/{shipmentId}`]: [{ tracking: { carrier: 'DHL', number: '1' } }],
    [`POST ${B}/orders/{id}/refund`]: [{ amount: 1, reason: 'Broken' }],
    [`POST ${B}/orders/{id}/notes`]: [{ text: 'Gift wrapped' }],
    [`PUT ${B}/orders/{id}/notes/{noteId}`]: [{ text: 'No gift' }],
    [`POST ${B}/orders/{id}/returns`]: [{ type: 'RETURN', lines: part }],
    [`POST ${B}/returns/{id}/receive`]: [{ restock: true }],
    [`POST ${B}/returns/{id}/close`]: [{ refund: false }],
    [`POST ${B}/customers`]: [{ email: 'e@example.com', name: 'Eva' }],
    'POST /v1/payments/quote': [{ ...cart, lines, promoCode: 'TEN', shippingMethodId: 'any' }],
    [`POST ${B}/tax-preview`]: [{ market: 'us', amount: 100, address: { country: 'DE' } }],
    [`PUT ${B}/collections/{id}/subscribers/{subscriberId}`]: [{ name: 'Grace', tags: ['vip'] }],
    [`POST ${B}/webhooks/test`]: [{ url: 'http://127.0.0.1:65000/', events: ['webhook.test'] }],
    [`PUT ${B}/publishable-keys/{id}`]: [{ name: 'Site', origins: ['https://site.example'] }],
    [`POST ${B}/invitation`]: [{ email: 'g@example.com', roleIds: [role.id] }],
    [`PUT ${B}/collections/{id}`]: [{ name: 'News' }],
    [`PUT ${B}/orders/{id}/status`]: [{ status: 'PROCESSING' }],
    'POST /v1/payments/shipping-options': [
      { businessId, market: 'us', items: lines, shippingAddress: { country: 'US' } },
    ],
    [`POST ${B}/forms`]: [{ collectionId, name: 'Footer', tags: ['web'], fields: ['city'] }],
    [`POST ${B}/automations`]: [{ name: 'Welcome', trigger, steps: [{ type: 'MAIL', entryId }] }],
    [`PUT ${B}/automations/{id}`]: [{ name: 'Hello', enabled: false }],
    [`PUT ${B}/forms/{id}`]: [{ name: 'Header', button: 'Join' }],
    [`POST ${B}/entries/{entryId}/send`]: [{ resend: true }],
    [`POST ${B}/entries/{entryId}/test`]: [{}],
    [`POST ${B}/segments`]: [{ name: 'All', filter: { field: 'subscriber.email', op: 'contains', value: '@' } }],
    [`POST ${B}/categories`]: [{ name: 'Hats', description: '<p>Hats</p>', seo: { title: 'Hats' } }],
    [`PUT ${B}/categories/{id}`]: [{ translations: { de: { name: 'Hemden' } }, position: 0 }],
    [`POST ${B}/redirects`]: [{ from: '/a', to: '/b' }],
    [`POST ${B}/products/{id}/stock-alerts`]: [{ email: 'e@example.com', variantId: 'none' }],
    [`POST ${B}/carts`]: [{ market: 'us', items: lines, promoCode: 'TEN' }],
    [`PUT ${B}/carts/{id}`]: [{ items: lines, email: 'f@example.com', reminder: true }],
    [`POST ${B}/promo-codes`]: [promo],
    [`PUT ${B}/promo-codes/{id}`]: [
      {
        discounts: ['ITEMS_PERCENTAGE', 'ITEMS_FIXED', 'SHIPPING_PERCENTAGE'].map((type) => ({
          type,
          bps: 1,
          amount: 1,
        })),
        conditions: [
          { type: 'PRODUCTS', value: [productId] },
          { type: 'DATE_RANGE', value: { start: 1, end: null } },
          ...['MIN_ORDER_AMOUNT', 'MAX_USES', 'MAX_USES_PER_USER'].map((type) => ({ type, value: 1 })),
        ],
      },
    ],
    [`POST ${B}/collections`]: [{ name: 'Blog', blocks: definitions, statuses: [{ status: 'DRAFT' }] }],
    [`POST ${B}/collections/blocks/generate`]: [{ prompt: 'Linen', blocks: definitions }],
    [`POST ${B}/collections/{collectionId}/subscribe`]: [
      { email: 'b@example.com', planId: 'free' },
      { email: 'c@example.com', plan_id: 'club', returnUrl: 'https://shop.example/' },
    ],
    [`POST ${B}/storefront/preview`]: [
      { storefront: { enabled: true, theme: { fonts: 'modern' } }, path: '/products' },
    ],
    [`PUT ${B}/mail-templates/{kind}`]: [{ subject: 'Paid', body: '<p>Order {{order.number}}</p>' }],
    [`POST ${B}/webhooks`]: [{ url: 'http://127.0.0.1:65000/', events: ['webhook.disabled'], enabled: false }],
    [`PUT ${B}/webhooks/{id}`]: [{ description: 'Ours' }],
    [`POST ${B}/webhooks/{id}/replay`]: [{ from: 1, to: 2 }],
    [`POST ${B}/releases`]: [{ name: 'Soon', at: 4_000_000_000, items: [entryId, productId, collectionId] }],
    [`PUT ${B}/releases/{id}`]: [{ name: 'Later', items: [entryId] }],
    [`POST ${B}/entries/{id}/publish`]: [{}, { at: 4_000_000_000 }],
    [`POST ${B}/entries`]: [{ collectionId, locale: 'en', blocks, statuses: [{ status: 'DRAFT' }] }],
    [`PUT ${B}/entries/{id}`]: [
      { collectionId, locale: 'en', blocks: [{ ...blocks[0], value: { en: 'a', de: 'b' } }] },
    ],
    'POST /v1/businesses': [{ name: 'Shop', configs: CONFIGS }],
    [`PUT ${B}`]: [{ configs: CONFIGS }],
    'POST /v1/users/register': [{ provider: 'EMAIL_REGISTER', email: 'd@example.com', password: GOOD_PASSWORD }],
    'POST /v1/users/login': [
      { provider: 'EMAIL', email: 'd@example.com', password: GOOD_PASSWORD },
      { provider: 'OAUTH_IDP', code: 'x', state: 'y', originUrl: 'https://shop.example' },
      { provider: 'GUEST', phoneNumber: '+4915112345678' },
    ],
    'PUT /v1/users/update': [
      {
        name: 'Ada',
        phoneNumbers: ['+4915112345678'],
        addresses: [{ street: 'Main Street 1', country: 'US' }],
        apiTokens: [
          { id: 'ci', name: 'CI', provider: 'API' },
          { name: 'New', value: 'a-long-random-k3y9', expiresAt: null },
        ],
      },
    ],
    'POST /v1/users/phone-number': [{ phoneNumber: '+4915112345678' }],
    'POST /v1/users/phone-number/confirm': [{ phoneNumber: '+4915112345678', code: '123456' }],
  };
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  const system = h.service.contexts.system() as Json;
  const { token: stepUp } = system.businesses.stepUps.issue(sid, h.clock.seconds());
  const callers: Record<string, Record<string, string>> = {
    admin: { authorization: `Bearer ${token}`, 'souk-step-up': stepUp },
    key: { 'x-api-key': key },
    guest: { authorization: `Bearer ${guest.token}` },
    nobody: {},
  };

  /** False if requests have logged out the admin, removed their permissions or deleted the business. */
  const isIntact = async () =>
    (await h.call('GET', `${base}/promo-codes`, { token, headers: callers.key })).status === 200 &&
    (await h.call('GET', `${base}/promo-codes`, { token })).status === 200;

  return { inPaths, known, samples, callers, isIntact };
}
