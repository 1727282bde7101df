import assert from 'node:assert/strict';
import test from 'node:test';
import { newId } from '../../src/shared/ids.ts';
import { type Json, shareHarness } from '../harness.ts';
import { openShop, passTime, problems } from '../orders/shop.ts';

const h = await shareHarness();
const shop = await openShop(h, {
  markets: [
    { id: 'us', currency: 'usd', taxBps: 1000 },
    { id: 'ca', currency: 'cad' },
  ],
  shippingMethods: [
    {
      id: 'std',
      prices: [
        { market: 'us', amount: 1000 },
        { market: 'ca', amount: 900 },
      ],
    },
  ],
});
const { token } = shop.staff;
const path = `${shop.base}/promo-codes` as const;
const mug = await shop.product({ price: 1000, quantity: 1000 });
const shirt = await shop.product({ price: 4000, quantity: 1000 });

const quoted = async (promoCode: string, more: object = {}) => {
  const { body } = await shop.quote(mug, { promoCode, shippingMethodId: 'std', ...more });
  return body.details ? body.details.map((detail) => `${detail.field} ${detail.error}`).join() : body.discount;
};

test('a quote has all API fields, an ID, and a case-insensitive promo code', async () => {
  await shop.promo('Welcome10', [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }]);
  const requestedAt = h.clock.seconds();
  const { body } = await shop.quote(mug, {
    quantity: 2,
    promoCode: 'WELCOME10',
    shippingMethodId: 'std',
    currency: 'USD',
  });
  const { id, expiresAt, ...rest } = body;
  assert.match(id, /^quote_/);
  assert.ok(expiresAt >= requestedAt + 900);
  assert.deepEqual(rest, {
    market: 'us',
    lines: [
      {
        id: 'line_1',
        type: 'PRODUCT_VARIANT',
        productId: mug,
        variantId: 'main',
        quantity: 2,
        unitPrice: 1000,
        totalPrice: 2000,
        name: 'Mug',
        variantName: 'Main',
        sku: '',
        options: [],
        image: null,
        discount: 200,
        tax: 180,
        taxBps: 1000,
        requiresShipping: true,
      },
    ],
    taxLines: [{ name: 'Tax', bps: 1000, base: 1800, amount: 180 }],
    shippingTax: 0,
    taxExempt: null,
    shippingMethodId: 'std',
    shippingAddress: null,
    billingAddress: null,
    pickupLocationId: null,
    subtotal: 2000,
    tax: 180,
    taxBps: 1000,
    shipping: 1000,
    discount: 200,
    total: 2980,
    display: { taxIncluded: false, subtotal: 2000, shipping: 1000, discount: 200, tax: 180, total: 2980 },
    currency: 'usd',
    promoCode: 'Welcome10',
  });
  const items = [{ productId: mug, variantId: 'main', quantity: 1 }];
  assert.equal((await shop.quote(mug, { lines: undefined, items })).body.subtotal, 1000);
  assert.equal((await shop.quote(mug, { businessId: 'biz_none' })).status, 404);
});

test('each discount takes off its amount, in its market only', async () => {
  await shop.promo('FIXED', [{ type: 'ITEMS_FIXED', amount: 300 }]);
  await shop.promo('SHIP', [{ type: 'SHIPPING_PERCENTAGE', bps: 10_000 }]);
  await shop.promo('CANADA', [{ type: 'ITEMS_PERCENTAGE', bps: 5000, marketId: 'CA' }]);
  await shop.promo('BOTH', [
    { type: 'ITEMS_FIXED', amount: 5000 },
    { type: 'SHIPPING_PERCENTAGE', bps: 5000 },
  ]);
  assert.equal(await quoted('FIXED'), 300);
  assert.equal(await quoted('SHIP'), 1000);
  assert.equal(await quoted('BOTH'), 1500);
  assert.equal(await quoted('CANADA'), 'promoCode PROMO_NOT_APPLICABLE');
});

test('each unmet condition has its own error code', async () => {
  const now = h.clock.seconds();
  const off = [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }];
  await shop.promo('SHIRTS', off, [{ type: 'PRODUCTS', value: [shirt] }]);
  await shop.promo('BIG', off, [{ type: 'MIN_ORDER_AMOUNT', value: 3000 }]);
  await shop.promo('SOON', off, [{ type: 'DATE_RANGE', value: { start: now + 100, end: now + 200 } }]);
  const draft = await shop.promo('DRAFT', off);
  await h.call('PUT', `${path}/${draft.id}`, { token, body: { statuses: [{ status: 'DRAFT' }] } });
  assert.equal(await quoted('NONE'), 'promoCode PROMO_NOT_FOUND');
  assert.equal(await quoted('DRAFT'), 'promoCode PROMO_NOT_FOUND');
  assert.equal(await quoted('SHIRTS'), 'promoCode PROMO_NOT_APPLICABLE');
  assert.equal(await quoted('BIG'), 'promoCode PROMO_MIN_AMOUNT');
  assert.equal(await quoted('BIG', { lines: [{ productId: mug, variantId: 'main', quantity: 3 }] }), 300);
  const both = [mug, shirt].map((productId) => ({ productId, variantId: 'main', quantity: 1 }));
  assert.equal(await quoted('SHIRTS', { lines: both }), 400, 'off the shirt only');
  assert.equal(await quoted('SOON'), 'promoCode PROMO_NOT_STARTED');
  await passTime(h, 150);
  assert.equal(await quoted('SOON'), 100);
  await passTime(h, 100);
  assert.equal(await quoted('SOON'), 'promoCode PROMO_EXPIRED');
});

test('a use is counted with the order and released when the order is canceled', async () => {
  const promo = await shop.promo('TWICE', [{ type: 'ITEMS_FIXED', amount: 1 }], [{ type: 'MAX_USES', value: 2 }]);
  const uses = async () => (await h.call('GET', `${path}/${promo.id}`, { token })).body.uses;
  const buy = () => shop.checkout(mug, { promoCode: 'TWICE', shippingMethodId: 'std' });
  const { orderId } = (await buy()).body;
  assert.equal((await buy()).status, 200);
  assert.deepEqual(problems(await buy()), ['promoCode PROMO_USED_UP']);
  assert.equal(await uses(), 2);
  await shop.setStatus(orderId, 'CANCELLED');
  await shop.setStatus(orderId, 'CANCELLED');
  assert.equal(await uses(), 1);
  assert.equal((await buy()).status, 200);
  assert.deepEqual(problems(await shop.setStatus(orderId, 'PENDING')), ['status PROMO_USED_UP']);
  assert.equal(await uses(), 2);
});

test('a quote cannot bypass the shipping method or the payment methods of the market', async () => {
  const product = await shop.product({ price: 1000 });
  const bare = (await shop.quote(product)).body;
  assert.equal(bare.shipping, 0);
  const refused = async (more: Record<string, unknown>) => problems(await shop.checkout(product, more));
  assert.deepEqual(await refused({ quoteId: bare.id }), ['shippingMethodId REQUIRED']);
  const quote = (await shop.quote(product, { shippingMethodId: 'std' })).body;
  assert.deepEqual(await refused({ quoteId: quote.id, paymentMethod: 'FREE' }), ['paymentMethod INVALID_VALUE']);
  assert.equal((await shop.checkout(product, { quoteId: quote.id })).status, 200);
});

test('a quote is honored until it expires, for the same cart only', async () => {
  const product = await shop.product({ price: 1000, quantity: 50 });
  await shop.promo('QUOTED', [{ type: 'ITEMS_FIXED', amount: 100 }]);
  const quote = (await shop.quote(product, { shippingMethodId: 'std', promoCode: 'QUOTED' })).body;
  const raised = {
    variants: [{ id: 'main', name: 'Main', pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 9000 }] } }],
  };
  assert.equal((await h.call('PUT', `${shop.base}/products/${product}`, { token, body: raised })).status, 200);
  const ok = await shop.checkout(product, { quoteId: quote.id, shippingMethodId: 'std' });
  const order = await shop.order(ok.body.orderId);
  assert.deepEqual([order.total, order.promoCode], [quote.total, 'QUOTED']);
  const refused = async (more: object) => problems(await shop.checkout(product, { quoteId: quote.id, ...more }));
  assert.deepEqual(await refused({ quantity: 2 }), ['quoteId QUOTE_MISMATCH']);
  assert.deepEqual(await refused({ market: 'ca' }), ['quoteId QUOTE_MISMATCH']);
  assert.deepEqual(await refused({ promoCode: 'FIXED' }), ['quoteId QUOTE_MISMATCH']);
  const other = await openShop(h);
  assert.deepEqual(problems(await other.checkout(await other.product(), { quoteId: quote.id })), ['quoteId NOT_FOUND']);
  await h.call('PUT', `${shop.base}/products/${product}`, { token, body: { statuses: [{ status: 'ARCHIVED' }] } });
  assert.deepEqual(await refused({}), ['items[0].productId NOT_FOUND']);
  await passTime(h, 901);
  assert.deepEqual(await refused({}), ['quoteId QUOTE_EXPIRED']);
});

test('a promo code ends after its last second, and a quote at its expiry', async (t) => {
  let now = h.clock.seconds();
  t.mock.method(h.clock, 'seconds', () => now);
  const [start, end] = [now + 10, now + 20];
  await shop.promo('SECONDS', [{ type: 'ITEMS_FIXED', amount: 1 }], [{ type: 'DATE_RANGE', value: { start, end } }]);
  const quotedAt = (seconds: number) => {
    now = seconds;
    return quoted('SECONDS');
  };
  assert.equal(await quotedAt(start - 1), 'promoCode PROMO_NOT_STARTED');
  assert.deepEqual([await quotedAt(start), await quotedAt(end)], [1, 1]);
  assert.equal(await quotedAt(end + 1), 'promoCode PROMO_EXPIRED');

  const { id: quoteId, expiresAt } = (await shop.quote(mug, { shippingMethodId: 'std' })).body;
  const buy = () => shop.checkout(mug, { quoteId, shippingMethodId: 'std' });
  now = expiresAt - 1;
  assert.equal((await buy()).status, 200);
  now = expiresAt;
  assert.deepEqual(problems(await buy()), ['quoteId QUOTE_EXPIRED']);
});

test('promo codes can be filtered by one or several statuses', async () => {
  const own = await openShop(h);
  const discounts = [{ type: 'ITEMS_PERCENTAGE', bps: 100 }];
  for (const status of ['DRAFT', 'ACTIVE', 'ARCHIVED']) {
    await h.call('POST', `${own.base}/promo-codes`, {
      token: own.staff.token,
      body: { code: status, discounts, status },
    });
  }
  const codes = async (query: string) =>
    (await h.call('GET', `${own.base}/promo-codes?${query}`, { token: own.staff.token })).body.items.map(
      ({ code }) => code,
    );
  assert.deepEqual((await codes('statuses=DRAFT,ARCHIVED')).sort(), ['ARCHIVED', 'DRAFT']);
  assert.deepEqual(await codes('status=ACTIVE'), ['ACTIVE']);
  assert.equal((await codes('')).length, 3);
});

test('promo codes can be created, read, listed, updated and deleted with the permission', async () => {
  const promo = await shop.promo(
    'CRUD',
    [{ type: 'ITEMS_PERCENTAGE', bps: 100 }],
    [{ type: 'DATE_RANGE', value: { from: 1, to: 2 } }],
  );
  assert.deepEqual(promo.conditions, [{ type: 'DATE_RANGE', value: { start: 1, end: 2 } }]);
  const one = await h.call('GET', `${path}/${promo.id}`, { token });
  assert.deepEqual(one.body, promo);
  assert.ok((await h.call('GET', `${path}?query=cr`, { token })).body.items.some((each) => each.id === promo.id));
  const changed = await h.call('PUT', `${path}/${promo.id}`, {
    token,
    headers: { 'if-match': one.headers.get('etag') ?? '' },
    body: { code: 'CRUD2', id: 'x', uses: 100 },
  });
  assert.deepEqual(
    [changed.body.code, changed.body.id, changed.body.uses, changed.body.discounts],
    ['CRUD2', promo.id, 0, promo.discounts],
  );
  assert.equal(
    (await h.call('PUT', `${path}/${promo.id}`, { token, headers: { 'if-match': '"1"' }, body: {} })).status,
    412,
  );
  const duplicate = await h.call('POST', path, { token, body: { code: 'crud2', discounts: promo.discounts } });
  assert.deepEqual(problems(duplicate), ['code DUPLICATE']);
  assert.equal((await h.call('GET', path, { token: shop.customer.token })).status, 403);
  assert.equal((await h.call('GET', `${(await openShop(h)).base}/promo-codes/${promo.id}`, { token })).status, 403);
  assert.deepEqual((await h.call('DELETE', `${path}/${promo.id}`, { token })).body, { success: true });
  assert.equal((await h.call('GET', `${path}/${promo.id}`, { token })).status, 404);
});

test('every invalid part of a promo code is reported', async () => {
  const theirs = await (await openShop(h)).product();
  const { status, body } = await h.call('POST', path, {
    token,
    body: {
      code: 'has space',
      discounts: [
        { type: 'ITEMS_PERCENTAGE' },
        { type: 'ITEMS_FIXED', amount: -1 },
        { type: 'GOLD' },
        { type: 'ITEMS_PERCENTAGE', bps: 10_001 },
      ],
    },
  });
  assert.equal(status, 422);
  assert.deepEqual(
    body.details.map((detail) => detail.field),
    ['code'],
  );
  const parts = await h.call('POST', path, {
    token,
    body: {
      code: 'BAD',
      discounts: [
        { type: 'ITEMS_PERCENTAGE' },
        { type: 'ITEMS_FIXED', amount: -1 },
        { type: 'GOLD' },
        { type: 'ITEMS_PERCENTAGE', bps: '10' },
      ],
      conditions: [
        { type: 'PRODUCTS', value: [theirs] },
        { type: 'MAX_USES', value: 0 },
        { type: 'DATE_RANGE', value: { start: 5, end: 4 } },
        { type: 'MIN_ORDER_AMOUNT' },
        { type: 'WEATHER', value: 1 },
      ],
    },
  });
  assert.deepEqual(problems(parts), [
    'conditions[0].value[0] NOT_FOUND',
    'conditions[1].value OUT_OF_RANGE',
    'conditions[2].value.end OUT_OF_RANGE',
    'conditions[3].value REQUIRED',
    'conditions[4].type INVALID_VALUE',
    'discounts[0].bps REQUIRED',
    'discounts[1].amount OUT_OF_RANGE',
    'discounts[2].type INVALID_VALUE',
    'discounts[3].bps INVALID_TYPE',
  ]);
});

test('a PRODUCTS condition without a list of product IDs is rejected with 422', async () => {
  for (const value of ['x', 7, null, {}, [7], [], undefined]) {
    const body = {
      code: newId('promo'),
      discounts: [{ type: 'ITEMS_FIXED', amount: 1 }],
      conditions: [{ type: 'PRODUCTS', value }],
    };
    const response = await h.call('POST', `${shop.base}/promo-codes`, { token: shop.staff.token, body });
    assert.equal(response.status, 422, JSON.stringify(value));
    assert.equal(response.body.details[0]!.field, 'conditions[0].value');
  }
});

test('a promo code can be created with a single status, and listed codes have the same ETag as a GET', async () => {
  const other = await openShop(h);
  const token = other.staff.token;
  const body = { code: 'LATER', discounts: [{ type: 'ITEMS_FIXED', amount: 1 }], status: 'DRAFT' };
  const created = await h.call('POST', `${other.base}/promo-codes`, { token, body });
  assert.equal(created.body.statuses.at(-1)!.status, 'DRAFT');
  const { items } = (await h.call('GET', `${other.base}/promo-codes`, { token })).body;
  const read = await h.call('GET', `${other.base}/promo-codes/${created.body.id}`, { token });
  assert.equal(items[0]!.etag, read.headers.get('etag'));
});

test('a page of promo codes has a byte limit, and its cursor is rejected by other businesses', async () => {
  const other = await openShop(h);
  const token = other.staff.token;
  const products = Array.from({ length: 1000 }, (_, i) => `prod_${String(i).padStart(55, '0')}`);
  const created = await Promise.all(
    Array.from({ length: 5 }, (_, i) => other.promo(`BIG${i}`, [{ type: 'ITEMS_FIXED', amount: 1 }])),
  );
  const conditions = Array.from({ length: 8 }, () => ({ type: 'PRODUCTS', value: products }));
  await h.pool`update promo_codes set doc = doc || ${h.pool.json({ conditions } as never)} where business_id = ${other.businessId}`;
  const pages: Json[] = [];
  for (let cursor = ''; cursor !== null; cursor = pages.at(-1).cursor) {
    const { body } = await h.call('GET', `${other.base}/promo-codes?limit=100&cursor=${cursor}`, { token });
    assert.ok(JSON.stringify(body).length < 2.2 * 1024 * 1024);
    pages.push(body);
  }
  const codes = pages.flatMap((page) => page.items.map((promo: Json) => promo.code));
  assert.deepEqual(codes.sort(), created.map((promo) => promo.code).sort());
  assert.ok(pages.length > 1);
  const foreign = await h.call('GET', `${shop.base}/promo-codes?cursor=${pages[0].cursor}`, {
    token: shop.staff.token,
  });
  assert.equal(foreign.status, 400);
});
