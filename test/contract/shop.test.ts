/** Products, orders, checkout and quotes as specified. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { asPublic, type Json, shareHarness } from '../harness.ts';
import { openContract } from './contract.ts';
import { CHECKOUT_DONE, CHECKOUT_PAYABLE, ORDER, PRODUCT, pageOf, QUOTE, SUCCESS } from './fields.ts';

const h = await shareHarness();
const B = '/v1/businesses/{businessId}';
const { ok, fails, testAllCalled } = await openContract(h, {
  [`POST ${B}/products`]: PRODUCT,
  [`GET ${B}/products`]: pageOf(PRODUCT),
  [`GET ${B}/products/{id}`]: PRODUCT,
  [`PUT ${B}/products/{id}`]: PRODUCT,
  [`DELETE ${B}/products/{id}`]: SUCCESS,
  [`POST ${B}/orders`]: ORDER,
  [`GET ${B}/orders`]: pageOf(ORDER),
  [`GET ${B}/orders/{id}`]: ORDER,
  [`PUT ${B}/orders/update`]: ORDER,
  [`PUT ${B}/orders/{id}/status`]: ORDER,
  [`PUT ${B}/orders/{id}/payment-status`]: ORDER,
  [`POST ${B}/orders/checkout`]: CHECKOUT_PAYABLE,
  'POST /v1/payments/quote': QUOTE,
});

const businessId = await h.business();
const params = { businessId };
const admin = await h.member(businessId, 'ADMIN');
const { token } = admin;
const guest = await h.guest();
const now = h.clock.seconds();

/** A product with every field in the documented API. */
const shirt = {
  name: 'Linen shirt',
  slug: 'linen-shirt',
  description: 'Cool in summer.',
  category: 'clothing',
  gallery: [{ id: 'front', url: 'https://example.com/front.jpg', mimeType: 'image/jpeg' }],
  variants: [
    {
      id: 'var_m',
      name: 'Medium',
      sku: 'LIN-M',
      attributes: [{ name: 'size', value: 'M' }],
      pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 4900, compareAtPrice: 5900 }] },
      inventory: { tracked: true, quantity: 10, lowStockThreshold: 2 },
      gallery: [{ id: 'medium', url: 'https://example.com/m.jpg', mimeType: 'image/jpeg' }],
    },
    {
      id: 'var_free',
      name: 'Sample',
      sku: 'LIN-0',
      attributes: [],
      pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 0 }] },
      inventory: { tracked: false, quantity: 0 },
    },
  ],
  statuses: [{ id: 'status_1', status: 'ACTIVE', changedBy: 'USER', timestamp: now }],
  blocks: [
    { id: 'material', type: 'TEXT', value: { en: 'Linen', de: 'Leinen' } },
    { id: 'washable', type: 'BOOLEAN', value: true },
  ],
};
const product: Json = await ok(`POST ${B}/products`, { token, params, body: shirt });
const quantity = async () => (await read(product.id)).variants[0].inventory.quantity;
const read = (id: string) => ok(`GET ${B}/products/{id}`, { token: guest.token, params: { businessId, id } });

test('a product is returned with every field as sent', async () => {
  const { id, businessId: of, createdAt, updatedAt, statuses, ...rest } = product;
  const { statuses: sentStatuses, ...sent } = shirt;
  const variants = sent.variants.map((variant) => ({
    ...variant,
    requiresShipping: true,
    pricing: {
      markets: variant.pricing.markets.map((price) =>
        'compareAtPrice' in price ? { ...price, lowestPrice30: price.price } : price,
      ),
    },
  }));
  assert.deepEqual(rest, { ...sent, taxClassId: 'standard', categoryIds: [], relatedIds: [], variants });
  assert.deepEqual([of, typeof id, createdAt, updatedAt], [businessId, 'string', updatedAt, createdAt]);
  assert.deepEqual(statuses, [{ ...sentStatuses[0], userId: admin.userId }]);
  assert.deepEqual(await read(id), asPublic(product));
});

test('a product can be sent back unchanged, and a partial update changes only those fields', async () => {
  const target = { token, params: { businessId, id: product.id } };
  const same = await ok(`PUT ${B}/products/{id}`, { ...target, body: await read(product.id) });
  assert.deepEqual({ ...same, updatedAt: product.updatedAt }, product);
  const renamed = await ok(`PUT ${B}/products/{id}`, { ...target, body: { name: 'Linen shirt, washed' } });
  assert.deepEqual({ ...renamed, name: product.name, updatedAt: product.updatedAt }, product);
});

test('anyone, including guests, can page through products and filter by category and text', async () => {
  const { token } = guest;
  const made: string[] = [product.id];
  for (const name of ['Wool hat', 'Wool scarf']) {
    made.unshift((await ok(`POST ${B}/products`, { token: admin.token, params, body: { name, category: 'wool' } })).id);
  }
  const list = async (query: Record<string, string>) => ok(`GET ${B}/products`, { token, params, query });
  const first = await list({ limit: '2' });
  assert.equal(typeof first.cursor, 'string');
  const second = await list({ limit: '2', cursor: first.cursor });
  assert.deepEqual(
    [...first.items, ...second.items].map((item) => item.id),
    made,
  );
  assert.equal(second.cursor, null);
  for (const cursor of ['', 'null']) assert.deepEqual(await list({ limit: '2', cursor }), first);
  assert.deepEqual((await list({ limit: '1000' })).items.length, 3);
  assert.deepEqual(
    (await list({ category: 'wool' })).items.map((item: Json) => item.name),
    ['Wool scarf', 'Wool hat'],
  );
  assert.deepEqual(
    (await list({ query: 'scarf' })).items.map((item: Json) => item.name),
    ['Wool scarf'],
  );
  const refused = (query: Record<string, string>, status: number) =>
    fails(`GET ${B}/products`, status, { token, params, query });
  for (const limit of ['0', '-1', '1.5', 'ten', '']) await refused({ limit }, 422);
  assert.deepEqual(await refused({ cursor: 'made-up' }, 400), ['cursor INVALID_VALUE']);
});

test('a deleted product is not found', async () => {
  const { id } = await ok(`POST ${B}/products`, { token, params, body: { name: 'Short-lived' } });
  const target = { token, params: { businessId, id } };
  assert.deepEqual(await ok(`DELETE ${B}/products/{id}`, target), { success: true });
  assert.deepEqual(await fails(`GET ${B}/products/{id}`, 404, target), []);
});

const line = { type: 'PRODUCT_VARIANT', productId: product.id, variantId: 'var_m', quantity: 2 };
const items = [{ productId: product.id, variantId: 'var_m', quantity: 2 }];

const figures = ({ type, productId, variantId, quantity, unitPrice, totalPrice }: Json) => ({
  type,
  productId,
  variantId,
  quantity,
  unitPrice,
  totalPrice,
});

/** An order with every field in the documented API. */
const manual = () => ({
  customerId: guest.userId,
  market: 'us',
  currency: 'usd',
  lines: [{ ...line, unitPrice: 4900, totalPrice: 9800 }],
  subtotal: 9800,
  tax: 784,
  shipping: 500,
  total: 11_084,
  statuses: [{ id: 'placed', status: 'PENDING', changedBy: 'USER', timestamp: now }],
  paymentStatus: [{ id: 'waiting', status: 'PENDING', changedBy: 'SYSTEM', timestamp: now }],
});

test('a manual order keeps the submitted fields and reserves stock, and its last status is the current one', async () => {
  const before = await quantity();
  const order = await ok(`POST ${B}/orders`, { token, params, body: manual() });
  const { statuses, paymentStatus, lines, ...sent } = manual();
  for (const [field, value] of Object.entries(sent)) assert.deepEqual(order[field], value, field);
  assert.deepEqual(order.lines.map(figures), lines);
  assert.deepEqual(order.statuses, [{ ...statuses[0], userId: admin.userId }]);
  assert.deepEqual(order.paymentStatus, paymentStatus);
  assert.equal(await quantity(), before - 2);

  const target = { token, params: { businessId, id: order.id } };
  const change = { id: order.id, status: 'SHIPPED', changedBy: 'USER', userId: admin.userId, timestamp: now };
  const shipped = await ok(`PUT ${B}/orders/{id}/status`, { ...target, body: change });
  assert.deepEqual(
    shipped.statuses.map((entry: Json) => entry.status),
    ['PENDING', 'SHIPPED'],
  );
  const paid = { id: 'payment_1', status: 'PAID', changedBy: 'SYSTEM', timestamp: now };
  const { paymentStatus: history } = await ok(`PUT ${B}/orders/{id}/payment-status`, { ...target, body: paid });
  assert.deepEqual(history.at(-1), paid, 'the ID may also be that of the new status');
  const other = { id: order.id, paymentStatus: 'PARTIALLY_REFUNDED' };
  await ok(`PUT ${B}/orders/{id}/payment-status`, { ...target, body: other });
  await fails(`PUT ${B}/orders/{id}/status`, 422, { ...target, body: { id: order.id, status: 'LOST' } });
});

test('every documented status can be set, and no other', async () => {
  const sets = {
    status: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED', 'PENDING'],
    'payment-status': ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED', 'FAILED', 'PENDING'],
  } as const;
  for (const operation of ['status', 'payment-status'] as const) {
    const { id } = await ok(`POST ${B}/orders`, { token, params, body: manual() });
    const name = `PUT ${B}/orders/{id}/${operation}` as const;
    for (const status of sets[operation]) {
      const order = await ok(name, { token, params: { businessId, id }, body: { id, status } });
      assert.equal((operation === 'status' ? order.statuses : order.paymentStatus).at(-1).status, status);
    }
    const wrong = { token, params: { businessId, id }, body: { id, status: 'GONE' } };
    assert.deepEqual(await fails(name, 422, wrong), ['status INVALID_VALUE']);
    await ok(`PUT ${B}/orders/{id}/status`, { token, params: { businessId, id }, body: { status: 'CANCELLED' } });
  }
});

test('an order can be sent back unchanged, and changing its items adjusts stock', async () => {
  const order = await ok(`POST ${B}/orders`, { token, params, body: manual() });
  const same = await ok(`PUT ${B}/orders/update`, { token, params, body: order });
  assert.deepEqual({ ...same, updatedAt: order.updatedAt }, order);
  const before = await quantity();
  const lines = [{ ...line, quantity: 1, unitPrice: 4900, totalPrice: 4900 }];
  const body = { id: order.id, lines, subtotal: 4900, tax: 0, shipping: 0, total: 4900 };
  const changed = await ok(`PUT ${B}/orders/update`, { token, params, body });
  assert.deepEqual([changed.lines.map(figures), changed.subtotal, changed.total], [lines, 4900, 4900]);
  assert.equal(await quantity(), before + 1);
  await fails(`PUT ${B}/orders/update`, 422, { token, params, body: { ...body, total: 1 } });
  await fails(`PUT ${B}/orders/update`, 404, { token, params, body: { ...body, id: 'ord_none' } });
});

test('a quote accepts lines or items, and its total adds up', async () => {
  const basket = { businessId, market: 'us', currency: 'usd', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'any' };
  const quote = await ok('POST /v1/payments/quote', { token: guest.token, body: { ...basket, lines: [line] } });
  assert.deepEqual(quote.lines.map(figures), [{ ...line, unitPrice: 4900, totalPrice: 9800 }]);
  assert.equal(quote.total, quote.subtotal + quote.tax + quote.shipping - quote.discount);
  assert.equal(quote.currency, 'usd');
  const again = await ok('POST /v1/payments/quote', { token: guest.token, body: { ...basket, items } });
  assert.deepEqual({ ...again, id: quote.id, expiresAt: quote.expiresAt }, quote);
  const unknown = { token: guest.token, body: { ...basket, lines: [line], promoCode: 'NONE' } };
  assert.deepEqual(await fails('POST /v1/payments/quote', 422, unknown), ['promoCode PROMO_NOT_FOUND']);
});

test('a quote includes the tax rate, shipping and discount', async () => {
  const other = await h.business({
    markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', taxBps: 825 }],
    shippingMethods: [{ id: 'standard', prices: [{ market: 'us', amount: 500 }] }],
  });
  const { token } = await h.member(other, 'ADMIN');
  const at = { token, params: { businessId: other } };
  const { id: productId } = await ok(`POST ${B}/products`, { ...at, body: shirt });
  const promo = { code: 'TEN', discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }] };
  await h.call('POST', `/v1/businesses/${other}/promo-codes`, { token, body: promo });
  const body = {
    businessId: other,
    market: 'us',
    currency: 'usd',
    paymentMethod: 'CREDIT_CARD',
    lines: [{ ...line, productId }],
    shippingMethodId: 'standard',
    promoCode: 'TEN',
  };
  const { subtotal, tax, taxBps, shipping, discount, total } = await ok('POST /v1/payments/quote', { token, body });
  assert.deepEqual([subtotal, discount, taxBps, tax, shipping, total], [9800, 980, 825, 728, 500, 10_048]);
});

test('checkout returns a payment URL for every card payment method name and reserves stock', async () => {
  const before = await quantity();
  for (const paymentMethod of ['CREDIT_CARD', 'CARD_PROVIDER', 'STRIPE']) {
    const body = {
      businessId,
      market: 'us',
      paymentMethod,
      shippingMethodId: 'any',
      items: [{ ...items[0], quantity: 1 }],
    };
    const { checkoutUrl, orderId } = await ok(`POST ${B}/orders/checkout`, { token: guest.token, params, body });
    assert.ok(URL.canParse(checkoutUrl));
    const order = await ok(`GET ${B}/orders/{id}`, { token: guest.token, params: { businessId, id: orderId } });
    assert.deepEqual([order.customerId, order.statuses.at(-1).status], [guest.userId, 'PENDING']);
    assert.equal(order.paymentStatus.at(-1).status, 'PENDING');
  }
  assert.equal(await quantity(), before - 3);
});

test('checkout accepts a quote, blocks and return URLs', async () => {
  const basket = { businessId, market: 'us', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'any' };
  const { id } = await ok('POST /v1/payments/quote', { token: guest.token, body: { ...basket, items: [line] } });
  const body = {
    ...basket,
    items: [line],
    quoteId: id,
    blocks: [{ id: 'address', type: 'TEXT', value: '1 Main Street' }],
    returnUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
  };
  const { orderId } = await ok(`POST ${B}/orders/checkout`, { token: guest.token, params, body });
  const order = await ok(`GET ${B}/orders/{id}`, { token, params: { businessId, id: orderId } });
  assert.deepEqual(order.blocks, body.blocks);
});

test('a checkout with nothing to pay completes immediately', async () => {
  const body = {
    businessId,
    market: 'us',
    paymentMethod: 'CREDIT_CARD',
    shippingMethodId: 'any',
    items: [{ productId: product.id, variantId: 'var_free', quantity: 3 }],
  };
  const done = await ok(`POST ${B}/orders/checkout`, { token: guest.token, params, body }, CHECKOUT_DONE);
  assert.equal(done.status, 'COMPLETED');
});

test('orders can be filtered by status and customer', async () => {
  const list = (query: Record<string, string>) => ok(`GET ${B}/orders`, { token, params, query });
  const shipped = await list({ status: 'SHIPPED', customerId: guest.userId });
  assert.equal(shipped.items.length, 1);
  assert.equal((await list({ customerId: admin.userId })).items.length, 0);
  const page = await list({ limit: '1' });
  const next = await list({ limit: '1', cursor: page.cursor });
  assert.notEqual(next.items[0].id, page.items[0].id);
  await fails(`GET ${B}/orders`, 422, { token, params, query: { status: 'GONE' } });
});

test('a missing token fails with 401, a missing permission with 403 and an unknown ID with 404', async () => {
  assert.deepEqual(await fails(`GET ${B}/products`, 401, { params }), []);
  assert.deepEqual(await fails(`GET ${B}/products`, 401, { token: 'nonsense', params }), []);
  assert.deepEqual(await fails(`POST ${B}/products`, 403, { token: guest.token, params, body: shirt }), []);
  await fails(`POST ${B}/orders`, 403, { token: guest.token, params, body: manual() });
  await fails(`GET ${B}/products/{id}`, 404, { token, params: { businessId, id: 'prod_none' } });
  await fails(`GET ${B}/products`, 404, { token, params: { businessId: 'biz_none' } });
});

test('all invalid fields are reported at once', async () => {
  const body = { slug: 'a b', variants: [{ pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1.5 }] } }] };
  assert.deepEqual(await fails(`POST ${B}/products`, 422, { token, params, body }), [
    'name REQUIRED',
    'slug INVALID_FORMAT',
    'variants[0].pricing.markets[0].price INVALID_TYPE',
  ]);
  assert.deepEqual(await fails(`POST ${B}/products`, 400, { token, params, body: '{"name":' }), []);
});

testAllCalled();
