import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openShop, press, problems } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h, {
  markets: [
    { id: 'us', currency: 'usd', taxBps: 800 },
    { id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE', taxBps: 1900 },
  ],
  shippingMethods: [
    {
      id: 'std',
      prices: [
        { market: 'us', amount: 500, freeAbove: 10_000 },
        { market: 'eu', amount: 490 },
      ],
      taxable: true,
    },
    { id: 'fast', prices: [{ market: 'us', amount: 1500 }], taxable: true },
  ],
  orderBlocks: [{ id: 'address', type: 'TEXT', required: true }],
});
const { token } = shop.staff;
const mug = await shop.product({ price: 2500, quantity: 10_000 });
const blocks = [{ id: 'address', value: '1 Main Street' }];
const TOTALS = ['subtotal', 'tax', 'shipping', 'discount', 'total'];

const update = (body: object) => h.call('PUT', `${shop.base}/orders/update`, { token, body });
const line = (quantity: number, more: object = {}) => ({ productId: mug, variantId: 'main', quantity, ...more });
const pick = (record: Json, names: string[]) => Object.fromEntries(names.map((name) => [name, record[name]]));

async function buy(quantity: number, more: object = {}) {
  const { status, body } = await shop.checkout(mug, { quantity, shippingMethodId: 'std', blocks, ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return shop.order(body.orderId);
}

/** The totals of a quote for the same cart. */
async function quoted(quantity: number, more: object = {}) {
  const { body } = await shop.quote(mug, { quantity, shippingMethodId: 'std', ...more });
  return pick(body, TOTALS);
}

test('sending any part of an order back unchanged has no effect, even if its promo code has changed', async () => {
  const promo = await shop.promo('BACK', [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }]);
  const read = await buy(2, { promoCode: 'BACK' });
  const discounts = [{ type: 'ITEMS_PERCENTAGE', bps: 5000 }];
  await h.call('PUT', `${shop.base}/promo-codes/${promo.id}`, { token, body: { discounts } });
  assert.notEqual((await quoted(2, { promoCode: 'BACK' })).total, read.total);
  for (const names of [
    ['lines', 'subtotal', 'total'],
    ['lines'],
    ['total'],
    ['tax'],
    ['market', 'currency'],
    ['shippingMethodId', 'promoCode', 'lines'],
    Object.keys(read),
  ]) {
    const { status, body } = await update({ ...pick(read, names), id: read.id });
    assert.equal(status, 200, `${names}: ${JSON.stringify(body)}`);
    assert.deepEqual(body, read, String(names));
  }
});

test('changing only the lines prices the order like a quote, with taxed shipping, freeAbove and promo code', async () => {
  await shop.promo('TENTH', [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }]);
  const order = await buy(1);
  assert.equal(order.total, 3240, 'includes tax on shipping');
  for (const quantity of [2, 3, 4, 1]) {
    const { body } = await update({ id: order.id, lines: [line(quantity)] });
    assert.deepEqual(pick(body, TOTALS), await quoted(quantity), String(quantity));
  }
  const cheaper = await buy(1, { promoCode: 'TENTH' });
  const { body } = await update({ id: cheaper.id, lines: [line(3)] });
  assert.deepEqual(pick(body, TOTALS), await quoted(3, { promoCode: 'TENTH' }));
});

test('changing only the shipping method, promo code or market reprices the order, and unknown ones are rejected', async () => {
  const promo = await shop.promo('LATER', [{ type: 'ITEMS_FIXED', amount: 100 }], [{ type: 'MAX_USES', value: 1 }]);
  const uses = async () => (await h.call('GET', `${shop.base}/promo-codes/${promo.id}`, { token })).body.uses;
  const order = await buy(1);
  const change = async (more: object) => update({ id: order.id, ...more });
  assert.deepEqual(
    pick((await change({ shippingMethodId: 'fast' })).body, TOTALS),
    await quoted(1, { shippingMethodId: 'fast' }),
  );
  assert.deepEqual(problems(await change({ shippingMethodId: 'slow' })), ['shippingMethodId NOT_FOUND']);
  await change({ shippingMethodId: 'std' });
  const cheaper = await change({ promoCode: 'later' });
  assert.deepEqual([cheaper.body.discount, cheaper.body.promoCode, await uses()], [100, 'LATER', 1]);
  const second = await buy(1);
  assert.deepEqual(problems(await update({ id: second.id, promoCode: 'LATER' })), ['promoCode PROMO_USED_UP']);
  assert.equal(
    (await change({ lines: [line(2)] })).body.discount,
    100,
    "the order's own use does not count against the limit",
  );
  assert.deepEqual([(await change({ promoCode: null })).body.discount, await uses()], [0, 0]);
  assert.deepEqual(problems(await change({ promoCode: 'NONE' })), ['promoCode PROMO_NOT_FOUND']);
  assert.deepEqual(problems(await change({ market: 'eu' })), ['lines[0] NOT_AVAILABLE_IN_MARKET']);
  const { body } = await change({ market: 'eu', lines: [line(1, { unitPrice: 1190 })] });
  assert.deepEqual([body.currency, body.total, body.tax], ['eur', 1680, 268]);
});

test('if totals are sent, omitted totals keep their values and everything must add up', async () => {
  const order = await buy(1);
  assert.deepEqual(problems(await update({ id: order.id, shipping: 0 })), ['total TOTAL_MISMATCH']);
  const { body } = await update({ id: order.id, shipping: 0, total: order.total - order.shipping });
  assert.deepEqual([body.tax, body.shipping, body.total], [order.tax, 0, order.total - order.shipping]);
  assert.deepEqual(problems(await update({ id: order.id, lines: [line(2)], total: body.total })), [
    'subtotal TOTAL_MISMATCH',
  ]);
});

test('the shipping method of a paid order can change if the total stays the same', async () => {
  const { body } = await shop.checkout(mug, { shippingMethodId: 'std', blocks });
  await press(body.checkoutUrl!, 'pay');
  assert.equal((await update({ id: body.orderId, shippingMethodId: 'fast' })).status, 409);
  const { total } = await shop.order(body.orderId);
  const kept = await update({ id: body.orderId, shippingMethodId: 'fast', total });
  assert.deepEqual([kept.status, kept.body.shippingMethodId, kept.body.total], [200, 'fast', total]);
});

test('a manual order is priced like a checkout with its shipping method and promo code, and needs no order blocks', async () => {
  const promo = await shop.promo('STAFF', [{ type: 'ITEMS_PERCENTAGE', bps: 5000 }], [{ type: 'MAX_USES', value: 1 }]);
  const create = (more: object) =>
    h.call('POST', `${shop.base}/orders`, {
      token,
      body: { customerId: shop.customer.userId, market: 'us', lines: [line(3)], ...more },
    });
  const expected = await quoted(3, { promoCode: 'STAFF' });
  const { status, body } = await create({ shippingMethodId: 'std', promoCode: 'staff' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(pick(body, TOTALS), expected);
  const { uses } = (await h.call('GET', `${shop.base}/promo-codes/${promo.id}`, { token })).body;
  assert.deepEqual([body.promoCode, body.shippingMethodId, uses], ['STAFF', 'std', 1]);
  assert.deepEqual(problems(await create({ shippingMethodId: 'slow', promoCode: 'NONE' })), [
    'promoCode PROMO_NOT_FOUND',
    'shippingMethodId NOT_FOUND',
  ]);
  assert.deepEqual(problems(await create({ promoCode: 'STAFF' })), ['promoCode PROMO_USED_UP']);
  assert.deepEqual(problems(await create({ currency: 'eur' })), ['currency CURRENCY_MISMATCH']);
  assert.equal((await create({ status: 'SHIPPED' })).body.statuses.at(-1)!.status, 'SHIPPED');
});

test('when quantities change, agreed prices and an expired promo code still apply', async () => {
  const now = h.clock.seconds();
  const cup = await shop.product({ price: 1000, quantity: 100 });
  await shop.promo('BRIEF', [{ type: 'ITEMS_FIXED', amount: 100 }], [{ type: 'DATE_RANGE', value: { end: now + 60 } }]);
  const { body } = await shop.checkout(cup, { shippingMethodId: 'std', blocks, promoCode: 'BRIEF' });
  const product = (await h.call('GET', `${shop.base}/products/${cup}`, { token })).body;
  product.variants[0]!.pricing.markets[0]!.price = 9900;
  assert.equal((await h.call('PUT', `${shop.base}/products/${cup}`, { token, body: product })).status, 200);
  h.clock.advance(120);
  assert.deepEqual(problems(await shop.quote(cup, { promoCode: 'BRIEF' })), ['promoCode PROMO_EXPIRED']);
  const { body: more } = await update({
    id: body.orderId,
    lines: [{ productId: cup, variantId: 'main', quantity: 3 }],
  });
  assert.deepEqual([more.lines[0]!.unitPrice, more.subtotal, more.discount], [1000, 3000, 100]);
});
