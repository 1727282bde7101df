import assert from 'node:assert/strict';
import test from 'node:test';
import { type ApiResponse, type Json, shareHarness } from '../harness.ts';
import { openShop, problems } from '../orders/shop.ts';

const h = await shareHarness();

const MUNICH = { name: 'Ada', street: 'Marienplatz 1', city: 'München', zip: '80331', country: 'DE' };
const AUGSBURG = { ...MUNICH, city: 'Augsburg', zip: '86150' };
const SYLT = { ...MUNICH, city: 'Sylt', zip: '25980' };
const LYON = { name: 'Zoé', street: '1 Rue de la République', city: 'Lyon', zip: '69001', country: 'FR' };
const AUSTIN = {
  name: 'Bo',
  street: '1 Congress Avenue',
  city: 'Austin',
  state: 'TX',
  zip: '78701-1234',
  country: 'US',
};
const TOKYO = { name: 'Aki', street: '1-1 Chiyoda', city: 'Chiyoda', state: 'Tokyo', zip: '100-0001', country: 'JP' };
const eu = (amount: number, more: object = {}) => ({ market: 'eu', amount, ...more });

const ZONES = {
  markets: [
    { id: 'eu', currency: 'eur', countries: ['DE', 'FR'] },
    { id: 'us', currency: 'usd', countries: ['US'] },
  ],
  shippingMethods: [
    {
      id: 'post',
      name: 'Post',
      etaText: '2 days',
      zones: [
        {
          countries: ['DE'],
          rates: [eu(500, { maxWeight: 1000, freeAbove: 10_000 }), eu(900, { minWeight: 1001, maxWeight: 5000 })],
        },
        { countries: ['DE'], zips: ['80*', '81000-81999'], rates: [eu(200)] },
        { countries: ['DE'], zips: ['25980'], rates: [] },
        { countries: ['FR', 'AT'], rates: [eu(1200, { maxSubtotal: 5000 }), eu(700, { minSubtotal: 5001 })] },
        { countries: ['US'], states: ['TX'], zips: ['78701'], rates: [{ market: 'us', amount: 1 }] },
        { countries: ['US'], states: ['TX', 'CA'], rates: [{ market: 'us', amount: 2 }] },
        { countries: ['US'], rates: [{ market: 'us', amount: 3 }] },
      ],
    },
    { id: 'bike', name: 'Bike', zones: [{ countries: ['DE'], zips: ['80*'], rates: [eu(300)] }] },
    {
      id: 'pickup',
      type: 'PICKUP',
      prices: [eu(0)],
      locations: [
        { id: 'north', name: 'North', address: { city: 'Kiel', country: 'DE' } },
        { id: 'south', name: 'South', address: { city: 'Ulm', country: 'DE' } },
      ],
    },
  ],
};
const shop = await openShop(h, ZONES);

async function product(variant: object = {}, price = 1000): Promise<string> {
  const markets = ['eu', 'us'].map((marketId) => ({ marketId, currency: marketId === 'eu' ? 'eur' : 'usd', price }));
  const { body } = await h.call('POST', `${shop.base}/products`, {
    token: shop.staff.token,
    body: { name: 'Mug', variants: [{ id: 'main', pricing: { markets }, inventory: { tracked: false }, ...variant }] },
  });
  return body.id;
}
const mug = await product({ weight: 400 });
const ebook = await product({ requiresShipping: false });

const quote = (more: Json = {}, of = mug) => shop.quote(of, { market: 'eu', ...more });
const checkout = (more: Json = {}, of = mug) => shop.checkout(of, { market: 'eu', ...more });
const options = (shippingAddress: object | null, more: Json = {}) =>
  h.call('POST', '/v1/payments/shipping-options', {
    token: shop.customer.token,
    body: {
      businessId: shop.businessId,
      market: 'eu',
      items: [{ productId: mug, variantId: 'main', quantity: 1 }],
      shippingAddress,
      ...more,
    },
  });
const shippingOf = ({ status, body }: ApiResponse): number | string =>
  status === 200 ? body.shipping : JSON.stringify(body);

test('the most specific zone sets the price: postal code before state before country', async () => {
  const toPost = (shippingAddress: object, more: Json = {}) =>
    quote({ shippingMethodId: 'post', shippingAddress, ...more });
  assert.equal(shippingOf(await toPost(AUGSBURG)), 500);
  assert.equal(shippingOf(await toPost(MUNICH)), 200);
  assert.equal(shippingOf(await toPost({ country: 'de', zip: '81 550' })), 200);
  assert.equal(shippingOf(await toPost({ country: 'DE', zip: '82000' })), 500);
  assert.equal(shippingOf(await toPost(AUSTIN, { market: 'us' })), 1);
  assert.equal(shippingOf(await toPost({ country: 'US', state: 'Texas', zip: '75001' }, { market: 'us' })), 2);
  assert.equal(shippingOf(await toPost({ country: 'US', state: 'ME', zip: '04101' }, { market: 'us' })), 3);
});

test('weight, subtotal and freeAbove determine the rate', async () => {
  const toPost = (quantity: number, shippingAddress: object = AUGSBURG) =>
    quote({ shippingMethodId: 'post', shippingAddress, quantity });
  assert.equal(shippingOf(await toPost(2)), 500);
  assert.equal(shippingOf(await toPost(3)), 900);
  assert.equal(shippingOf(await toPost(5, LYON)), 1200);
  assert.equal(shippingOf(await toPost(6, LYON)), 700);
  assert.deepEqual(problems(await toPost(13)), ['shippingMethodId NOT_AVAILABLE']);
  const expensive = await product({}, 20_000);
  assert.equal(shippingOf(await quote({ shippingMethodId: 'post', shippingAddress: AUGSBURG }, expensive)), 0);
});

test('shipping options are the methods that serve the address, and each can be checked out at its price', async () => {
  const { body } = await options(MUNICH);
  assert.deepEqual(
    body.items.map(({ shippingMethodId, amount, currency, etaText }: Json) => [
      shippingMethodId,
      amount,
      currency,
      etaText,
    ]),
    [
      ['post', 200, 'eur', '2 days'],
      ['bike', 300, 'eur', null],
      ['pickup', 0, 'eur', null],
    ],
  );
  assert.deepEqual(
    body.items[2]!.locations!.map(({ id, address }: Json) => [id, address.city, address.street]),
    [
      ['north', 'Kiel', ''],
      ['south', 'Ulm', ''],
    ],
  );
  for (const { shippingMethodId, amount } of body.items.slice(0, 2)) {
    const placed = await checkout({ shippingMethodId, shippingAddress: MUNICH });
    const order = await shop.order(placed.body.orderId);
    assert.deepEqual([order.shipping, order.shippingAddress!.zip], [amount, '80331']);
  }
  const ids = async (response: Promise<ApiResponse>) =>
    (await response).body.items.map((each: Json) => each.shippingMethodId);
  assert.deepEqual(await ids(options(TOKYO)), ['pickup']);
  const digital = [{ productId: ebook, variantId: 'main', quantity: 1 }];
  assert.deepEqual(await ids(options(MUNICH, { items: digital })), []);
});

test('quotes and checkouts reject a method that does not serve the address, and an address that no zone serves', async () => {
  const cases: [object, string[]][] = [
    [{ shippingMethodId: 'bike', shippingAddress: AUGSBURG }, ['shippingMethodId NOT_AVAILABLE']],
    [{ shippingMethodId: 'post', shippingAddress: TOKYO }, ['shippingAddress.country NOT_DELIVERABLE']],
    [{ shippingMethodId: 'post', shippingAddress: SYLT }, ['shippingAddress.country NOT_DELIVERABLE']],
    [{ shippingMethodId: 'none', shippingAddress: MUNICH }, ['shippingMethodId NOT_FOUND']],
    [
      { shippingMethodId: 'post', shippingAddress: { ...MUNICH, country: 'Germany' } },
      ['shippingAddress.country INVALID_VALUE'],
    ],
  ];
  for (const [cart, expected] of cases) {
    assert.deepEqual(problems(await quote(cart)), expected);
    assert.deepEqual(problems(await checkout(cart)), expected);
  }
  assert.deepEqual(problems(await checkout({ shippingMethodId: 'post' })), ['shippingAddress REQUIRED']);
  assert.deepEqual(problems(await checkout()), ['shippingAddress REQUIRED', 'shippingMethodId REQUIRED']);
  const wrongZip = { shippingMethodId: 'post', shippingAddress: { ...MUNICH, zip: '803', city: '' } };
  assert.deepEqual(problems(await checkout(wrongZip)), [
    'shippingAddress.city REQUIRED',
    'shippingAddress.zip INVALID_VALUE',
  ]);
});

test('an address that lacks the state or postal code needed for delivery gets only the error for that field', async () => {
  const partial = await openShop(h, {
    ...ZONES,
    shippingMethods: [
      { id: 'ups', zones: [{ countries: ['US'], states: ['TX', 'CA'], rates: [{ market: 'us', amount: 2 }] }] },
      { id: 'van', zones: [{ countries: ['US'], states: ['TX'], rates: [{ market: 'us', amount: 1 }] }] },
      { id: 'bike', zones: [{ countries: ['DE'], zips: ['80*'], rates: [{ market: 'us', amount: 3 }] }] },
    ],
  });
  const cup = await partial.product();
  const { state: _, ...noState } = AUSTIN;
  const cases: [shippingMethodId: string, shippingAddress: object, string[]][] = [
    ['ups', noState, ['shippingAddress.state REQUIRED']],
    ['van', { ...AUSTIN, state: 'Texass' }, ['shippingAddress.state INVALID_VALUE']],
    ['bike', { ...MUNICH, zip: '86' }, ['shippingAddress.zip INVALID_VALUE']],
    ['ups', { ...AUSTIN, state: 'ME', zip: '04101' }, ['shippingAddress.country NOT_DELIVERABLE']],
    ['van', { ...AUSTIN, state: 'CA', zip: '90001' }, ['shippingMethodId NOT_AVAILABLE']],
  ];
  for (const [shippingMethodId, shippingAddress, expected] of cases) {
    const cart = { market: 'us', shippingMethodId, shippingAddress };
    assert.deepEqual(problems(await partial.quote(cup, cart)), expected);
    assert.deepEqual(problems(await partial.checkout(cup, cart)), expected);
  }
  const { zip: __, ...noZip } = MUNICH;
  const unserved = { market: 'us', shippingMethodId: 'ups', shippingAddress: { country: 'JP' } };
  assert.deepEqual(problems(await partial.quote(cup, unserved)), ['shippingAddress.country NOT_DELIVERABLE']);
  const bike = { market: 'us', shippingMethodId: 'bike', shippingAddress: noZip };
  assert.deepEqual(problems(await partial.quote(cup, bike)), ['shippingAddress.zip REQUIRED']);
});

test('a quote without an address is priced for the first country of the market', async () => {
  assert.equal(shippingOf(await quote({ shippingMethodId: 'post' })), 500);
  assert.equal(shippingOf(await quote({ shippingMethodId: 'post', market: 'us' })), 3);
});

test('digital items need no address and no method, and picked-up items no address', async () => {
  const digital = await checkout({}, ebook);
  assert.equal(digital.status, 200);
  const order = await shop.order(digital.body.orderId);
  assert.deepEqual([order.shipping, order.shippingMethodId, order.lines[0]!.requiresShipping], [0, null, false]);
  assert.equal((await checkout({ shippingMethodId: 'post' }, ebook)).status, 200);

  assert.deepEqual(problems(await checkout({ shippingMethodId: 'pickup' })), ['pickupLocationId REQUIRED']);
  const wrong = { shippingMethodId: 'pickup', pickupLocationId: 'west' };
  assert.deepEqual(problems(await checkout(wrong)), ['pickupLocationId NOT_FOUND']);
  const placed = await checkout({ shippingMethodId: 'pickup', pickupLocationId: 'south', locale: 'de-DE' });
  const { pickupLocationId, locale } = await shop.order(placed.body.orderId);
  assert.deepEqual([pickupLocationId, locale], ['south', 'de-DE']);
});

test('a quote is valid only for the address it was made for', async () => {
  const cart = { shippingMethodId: 'post', shippingAddress: MUNICH };
  const { body } = await quote(cart);
  const other = await checkout({ ...cart, shippingAddress: AUGSBURG, quoteId: body.id });
  assert.deepEqual(problems(other), ['quoteId QUOTE_MISMATCH']);
  const sameStreet = await checkout({
    ...cart,
    shippingAddress: { ...MUNICH, street: 'Marienplatz 2' },
    quoteId: body.id,
  });
  assert.equal((await shop.order(sameStreet.body.orderId)).shippingAddress!.street, 'Marienplatz 2');
  const omitted = await checkout({ shippingMethodId: 'post', quoteId: body.id });
  assert.equal((await shop.order(omitted.body.orderId)).shippingAddress!.street, 'Marienplatz 1');
  const { body: open } = await quote({ shippingMethodId: 'post' });
  const late = await checkout({ ...cart, quoteId: open.id });
  assert.deepEqual(problems(late), ['quoteId QUOTE_MISMATCH']);
  const none = await checkout({ shippingMethodId: 'post', quoteId: open.id });
  assert.deepEqual(problems(none), ['shippingAddress REQUIRED']);
});

test('a new address changes the price of an unpaid order, but not of a paid one', async () => {
  const { body } = await checkout({ shippingMethodId: 'post', shippingAddress: MUNICH, paymentMethod: 'CASH' });
  const put = async (change: object) =>
    (
      await h.call('PUT', `${shop.base}/orders/update`, {
        token: shop.staff.token,
        body: { id: body.orderId, ...change },
      })
    ).body;
  assert.equal((await put({ shippingAddress: AUGSBURG })).shipping, 500);
  const typo = await put({ shippingAddress: { ...AUGSBURG, street: 'Maxstraße 1' } });
  assert.deepEqual([typo.shipping, typo.shippingAddress!.street], [500, 'Maxstraße 1']);
  assert.deepEqual(await put(typo), typo);
  await shop.setPayment(body.orderId, 'PAID');
  const moved = await put({ shippingAddress: MUNICH });
  assert.deepEqual([moved.shipping, moved.shippingAddress!.zip], [500, '80331']);
});

test('a client that sends no address can still buy while the business has no zones', async () => {
  const plain = await openShop(h, {
    markets: [{ id: 'us', currency: 'usd', taxBps: 800 }],
    shippingMethods: [{ id: 'std', prices: [{ market: 'us', amount: 500 }], countries: ['US'], taxable: true }],
  });
  const cup = await plain.product();
  const placed = await plain.checkout(cup, { shippingMethodId: 'std' });
  const order = await plain.order(placed.body.orderId);
  assert.deepEqual([order.total, order.tax, order.shippingTax, order.shippingAddress], [1620, 120, 40, null]);
  const abroad = { shippingMethodId: 'std', shippingAddress: { country: 'DE' } };
  assert.deepEqual(problems(await plain.checkout(cup, abroad)), ['shippingMethodId NOT_AVAILABLE']);
  const free = { street: ' 1 Main Street ', country: 'us' };
  const given = await plain.checkout(cup, { shippingMethodId: 'std', shippingAddress: free });
  assert.deepEqual((await plain.order(given.body.orderId)).shippingAddress, {
    street: '1 Main Street',
    city: '',
    state: '',
    zip: '',
    country: 'us',
  });
});

test('a business can have 200 zones and 5,000 tax rates', async () => {
  const token = (await h.member(shop.businessId, 'BUSINESS_WRITE')).token;
  const zones = Array.from({ length: 200 }, (_, i) => ({
    countries: ['DE', 'FR', 'US'],
    zips: Array.from({ length: 20 }, (_, z) => `${String(i).padStart(3, '0')}${z}*`),
    rates: [eu(i)],
  }));
  const taxRates = Array.from({ length: 5000 }, (_, i) => ({
    id: `rate-${i}`,
    name: 'Sales tax',
    country: 'US',
    classId: 'standard',
    bps: i,
    zips: [String(10_000 + i)],
  }));
  const configs = { shippingMethods: [{ id: 'post', zones }], taxRates };
  const saved = await h.call('PUT', `/v1/businesses/${shop.businessId}`, { token, body: { configs } });
  assert.equal(saved.status, 200, JSON.stringify(saved.body).slice(0, 500));
  assert.equal(saved.body.configs.taxRates!.length, 5000);
  const { body: seen } = await h.call('GET', `/v1/businesses/${shop.businessId}`, { token: shop.customer.token });
  assert.equal(seen.configs.taxRates, undefined, 'only members see tax rates');
});

test('rates of unknown classes, duplicate IDs and impossible limits are rejected', async () => {
  const token = (await h.member(shop.businessId, 'BUSINESS_WRITE')).token;
  const rate = { id: 'a', name: 'VAT', country: 'DE', classId: 'wine', bps: 1 };
  const response = await h.call('PUT', `/v1/businesses/${shop.businessId}`, {
    token,
    body: {
      configs: {
        taxRates: [rate, { ...rate, classId: 'standard' }],
        taxClasses: [],
        tax: { shipping: 'wine' },
        shippingMethods: [
          { id: 'x', zones: [{ countries: ['DE'], rates: [eu(1, { minWeight: 5, maxWeight: 4 })] }], prices: [] },
        ],
      },
    },
  });
  assert.deepEqual(problems(response), [
    'configs.shippingMethods[0].zones[0].rates[0].maxWeight OUT_OF_RANGE',
    'configs.tax.shipping NOT_FOUND',
    'configs.taxRates[0].classId NOT_FOUND',
    'configs.taxRates[1].id DUPLICATE',
  ]);
});
