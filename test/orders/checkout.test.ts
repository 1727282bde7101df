import assert from 'node:assert/strict';
import test from 'node:test';
import { claimKey } from '../../src/db/idempotency.ts';
import { shareHarness, startHarness } from '../harness.ts';
import { last, openShop, passTime, press, problems } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h);

test('a card checkout returns the payment page, and the order has the agreed prices', async () => {
  const mug = await shop.product({ price: 1250, quantity: 5, name: 'Mug' });
  const { status, body } = await shop.checkout(mug, {
    quantity: 2,
    returnUrl: 'https://shop.example/thanks?a=1',
    cancelUrl: 'https://shop.example/cart',
    blocks: [{ id: 'address', type: 'TEXT', value: '1 Main Street' }],
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), ['checkoutUrl', 'orderId']);
  const order = await shop.order(body.orderId);
  assert.equal(order.customerId, shop.customer.userId);
  assert.deepEqual(order.lines, [
    {
      id: 'line_1',
      type: 'PRODUCT_VARIANT',
      productId: mug,
      variantId: 'main',
      quantity: 2,
      unitPrice: 1250,
      totalPrice: 2500,
      name: 'Mug',
      variantName: 'Main',
      sku: '',
      options: [],
      image: null,
      discount: 0,
      tax: 0,
      taxBps: 0,
      requiresShipping: true,
    },
  ]);
  const { subtotal, tax, shipping, discount, total, currency, market, number, blocks } = order;
  assert.deepEqual(
    { subtotal, tax, shipping, discount, total },
    { subtotal: 2500, tax: 0, shipping: 0, discount: 0, total: 2500 },
  );
  assert.deepEqual({ currency, market, number }, { currency: 'usd', market: 'us', number: 1 });
  assert.equal(blocks[0]!.value, '1 Main Street');
  assert.deepEqual([last(order.statuses), last(order.paymentStatus)], ['PENDING', 'PENDING']);
  assert.equal(await shop.stock(mug), 3);

  const paid = await press(body.checkoutUrl!, 'pay');
  assert.deepEqual([paid.status, paid.location], [303, 'https://shop.example/thanks?a=1']);
  const after = await shop.order(body.orderId);
  assert.deepEqual([last(after.statuses), last(after.paymentStatus)], ['PROCESSING', 'PAID']);
  assert.equal(after.statuses.at(-1)!.changedBy, 'SYSTEM');
});

test('a checkout that waits too long for a lock fails with 503, and with 409 only if it waits for its own key', async () => {
  const [busy, repeated] = [await openShop(h), await openShop(h)];
  const [mug, cup] = [await busy.product(), await repeated.product()];
  const { userId } = repeated.customer;
  await h.pool.transaction(async (tx) => {
    await tx`select from stock where business_id = ${busy.businessId} for update`;
    const nowSeconds = h.clock.seconds();
    await claimKey(tx, { businessId: repeated.businessId, userId, key: 'again', fingerprint: 'x', nowSeconds });
    const first = await busy.checkout(mug, { key: 'first' });
    assert.deepEqual([first.status, first.body.error], [503, 'UNAVAILABLE']);
    const repeat = await repeated.checkout(cup, { key: 'again' });
    assert.deepEqual([repeat.status, repeat.body.error], [409, 'CONFLICT']);
  });
  assert.equal((await busy.checkout(mug, { key: 'first' })).status, 200);
});

test('a free order is completed immediately', async () => {
  const gift = await shop.product({ price: 0, quantity: 2 });
  const { body } = await shop.checkout(gift, { paymentMethod: 'FREE' });
  assert.deepEqual(body, { orderId: body.orderId, status: 'COMPLETED' });
  const order = await shop.order(body.orderId);
  assert.deepEqual([last(order.statuses), last(order.paymentStatus)], ['PROCESSING', 'PAID']);
  assert.equal(await shop.stock(gift), 1);
});

test('an unpaid cash order is canceled after CASH_TTL, unless staff have changed its status', async () => {
  const other = await openShop({ ...h, ...(await h.startNode({ cashTtlSeconds: 1200 })) });
  const mug = await other.product({ quantity: 3 });
  const buy = async () => (await other.checkout(mug, { paymentMethod: 'CASH' })).body;
  const [body, moved, paid] = [await buy(), await buy(), await buy()];
  assert.deepEqual(body, { orderId: body.orderId, status: 'PENDING' });
  await other.setStatus(moved.orderId, 'PROCESSING');
  await other.setPayment(paid.orderId, 'PAID');
  await passTime(h, 310);
  await h.drain();
  assert.equal(last((await other.order(body.orderId)).statuses), 'PENDING');
  await passTime(h, 900);
  await h.drain();
  const order = await other.order(body.orderId);
  assert.deepEqual([last(order.statuses), last(order.paymentStatus)], ['CANCELLED', 'FAILED']);
  assert.equal(order.statuses.at(-1)!.changedBy, 'SYSTEM');
  assert.deepEqual([last((await other.order(moved.orderId)).statuses), await other.stock(mug)], ['PROCESSING', 1]);
});

test('with CASH_TTL=0 a cash order never expires', async () => {
  const patient = await startHarness({ CASH_TTL: '0' });
  const other = await openShop(patient);
  assert.equal((await other.checkout(await other.product(), { paymentMethod: 'CASH' })).status, 200);
  await passTime(patient, 400 * 86_400);
  await patient.drain();
  assert.deepEqual(
    (await other.orders()).map((order) => order.status),
    ['PENDING'],
  );
});

test('all names for card payments work, and other methods are rejected', async () => {
  const mug = await shop.product();
  for (const paymentMethod of ['CREDIT_CARD', 'STRIPE', 'CARD_PROVIDER']) {
    const { body } = await shop.checkout(mug, { paymentMethod });
    assert.ok(body.checkoutUrl, paymentMethod);
    assert.equal((await shop.order(body.orderId)).paymentMethod, paymentMethod);
  }
  assert.deepEqual(problems(await shop.checkout(mug, { paymentMethod: 'GOLD' })), ['paymentMethod INVALID_VALUE']);
  assert.deepEqual(problems(await shop.checkout(mug, { paymentMethod: 'FREE' })), ['paymentMethod INVALID_VALUE']);
});

test('an invalid quantity is rejected and the error names the field', async () => {
  const mug = await shop.product({ quantity: 2_000_000 });
  for (const quantity of [0, -1, 1.5, '1', 1_000_000_000, null]) {
    const response = await shop.checkout(mug, { quantity });
    assert.equal(response.status, 422, String(quantity));
    assert.match(problems(response)[0]!, /^items\[0\]\.quantity /, String(quantity));
    assert.equal((await shop.quote(mug, { quantity })).status, 422);
  }
});

test('prices sent by the client are ignored', async () => {
  const mug = await shop.product({ price: 1000 });
  const items = [{ productId: mug, variantId: 'main', quantity: 1, unitPrice: 1, totalPrice: 1, price: 1 }];
  const { body } = await shop.checkout(mug, { items, total: 1, subtotal: 1, discount: 999 });
  assert.equal((await shop.order(body.orderId)).total, 1000);
});

test('amounts above the maximum are rejected and the error names the field', async () => {
  const expensive = await shop.product({ price: 1_000_000_000_000, quantity: 2_000_000 });
  assert.deepEqual(problems(await shop.checkout(expensive, { quantity: 1_000_000 })), [
    'items[0].quantity OUT_OF_RANGE',
  ]);
  assert.deepEqual(problems(await shop.quote(expensive, { quantity: 2 })), ['lines[0].quantity OUT_OF_RANGE']);
  const one = { productId: expensive, variantId: 'main', quantity: 1 };
  assert.deepEqual(problems(await shop.checkout(expensive, { items: [one, one] })), ['items OUT_OF_RANGE']);
});

test('all errors in a cart are reported at once', async () => {
  const mug = await shop.product({ quantity: 1 });
  const draft = await shop.product({ status: 'DRAFT' });
  const euros = await shop.product({ market: 'de', currency: 'eur' });
  const other = await openShop(h);
  const theirs = await other.product();
  const item = (productId: string, variantId = 'main', quantity = 1) => ({ productId, variantId, quantity });
  const response = await shop.checkout(mug, {
    items: [item(draft), item(theirs), item('prod_none'), item(mug, 'large'), item(euros), item(mug, 'main', 2)],
  });
  assert.equal(response.status, 422);
  assert.deepEqual(problems(response), [
    'items[0].productId NOT_FOUND',
    'items[1].productId NOT_FOUND',
    'items[2].productId NOT_FOUND',
    'items[3].variantId NOT_FOUND',
    'items[4] NOT_AVAILABLE_IN_MARKET',
    'items[5].quantity INSUFFICIENT_STOCK',
  ]);
  assert.deepEqual(problems(await shop.checkout(mug, { items: undefined })), ['items REQUIRED']);
  assert.deepEqual(problems(await shop.checkout(mug, { items: [] })), ['items TOO_SHORT']);
  assert.deepEqual(problems(await shop.checkout(mug, { businessId: other.businessId })), ['businessId INVALID_VALUE']);
  assert.equal((await shop.orders()).filter((order) => !order.holds).length, 0);
});

test('lines of the same variant share its stock', async () => {
  const mug = await shop.product({ quantity: 3 });
  const item = { productId: mug, variantId: 'main', quantity: 2 };
  assert.equal((await shop.checkout(mug, { items: [item, item] })).status, 422);
  assert.equal(await shop.stock(mug), 3);
  assert.equal((await shop.checkout(mug, { items: [item, { ...item, quantity: 1 }] })).status, 200);
  assert.equal(await shop.stock(mug), 0);
});

test('untracked stock never runs out', async () => {
  const ebook = await shop.product({ quantity: null });
  assert.equal((await shop.checkout(ebook, { quantity: 1_000_000 })).status, 200);
});

test('only configured markets, currencies and shipping methods are accepted', async () => {
  const set = await openShop(h, {
    markets: [
      { id: 'us', currency: 'USD', taxBps: 1000, paymentMethods: [{ method: 'CREDIT_CARD' }] },
      { id: 'DE', currency: 'eur', taxMode: 'INCLUSIVE', taxBps: 1900 },
    ],
    shippingMethods: [
      { id: 'std', prices: [{ market: 'US', amount: 500, freeAbove: 5000 }], taxable: true },
      { id: 'pickup', type: 'PICKUP', prices: [{ market: 'DE', amount: 0 }] },
    ],
  });
  const mug = await set.product({ price: 1000, quantity: 100 });
  const ok = await set.checkout(mug, { market: 'US', currency: 'usd', shippingMethodId: 'std' });
  const order = await set.order(ok.body.orderId);
  const { market, currency, subtotal, tax, taxBps, shipping, total } = order;
  assert.deepEqual(
    { market, currency, subtotal, tax, taxBps, shipping, total },
    { market: 'us', currency: 'USD', subtotal: 1000, tax: 150, taxBps: 1000, shipping: 500, total: 1650 },
  );
  const free = await set.checkout(mug, { quantity: 5, shippingMethodId: 'std' });
  assert.equal((await set.order(free.body.orderId)).total, 5500);
  assert.deepEqual(problems(await set.checkout(mug)), ['shippingMethodId REQUIRED']);
  assert.deepEqual(problems(await set.checkout(mug, { shippingMethodId: 'pickup' })), ['shippingMethodId NOT_FOUND']);
  assert.deepEqual(problems(await set.checkout(mug, { shippingMethodId: 'std', currency: 'eur' })), [
    'currency CURRENCY_MISMATCH',
  ]);
  assert.deepEqual(problems(await set.checkout(mug, { market: 'fr', shippingMethodId: 'std' })).slice(0, 1), [
    'items[0] NOT_AVAILABLE_IN_MARKET',
  ]);
  assert.ok(problems(await set.checkout(mug, { market: 'fr' })).includes('market NOT_FOUND'));
  assert.deepEqual(problems(await set.checkout(mug, { shippingMethodId: 'std', paymentMethod: 'CASH' })), [
    'paymentMethod INVALID_VALUE',
  ]);
  const yen = await set.product({ currency: 'jpy' });
  assert.deepEqual(problems(await set.checkout(yen, { shippingMethodId: 'std' })), ['items[0] CURRENCY_MISMATCH']);
});

test('custom fields are validated against the schema of the business, or against their own type', async () => {
  const set = await openShop(h, { orderBlocks: [{ id: 'gift', type: 'BOOLEAN', required: true }] });
  const mug = await set.product();
  assert.equal((await set.checkout(mug)).status, 422);
  assert.equal((await set.checkout(mug, { blocks: [{ id: 'gift', type: 'BOOLEAN', value: 'yes' }] })).status, 422);
  assert.equal((await set.checkout(mug, { blocks: [{ id: 'gift', value: true }] })).status, 200);
  const plain = await shop.product();
  const friend = (value: string) => [{ id: 'friend', type: 'RELATIONSHIP', settings: { targetType: 'USER' }, value }];
  assert.equal((await shop.checkout(plain, { blocks: friend(shop.staff.userId) })).status, 200);
  assert.deepEqual(problems(await shop.checkout(plain, { blocks: friend('usr_none') })), ['blocks[0].value NOT_FOUND']);
  assert.deepEqual(problems(await shop.checkout(plain, { blocks: [{ id: 'n', type: 'NUMBER', value: 'x' }] })), [
    'blocks[0].value INVALID_TYPE',
  ]);
});

test('a checkout does not reveal whether a hidden record exists', async () => {
  const mug = await shop.product();
  const hidden = await shop.product({ status: 'DRAFT' });
  const writer = await h.member(shop.businessId, 'CONTENT_WRITE');
  const create = async (path: 'collections' | 'entries', body: object) =>
    (await h.call('POST', `${shop.base}/${path}`, { token: writer.token, body })).body.id as string;
  const collectionId = await create('collections', { name: 'Notes', slug: 'hidden-notes' });
  const entryId = await create('entries', { collectionId });
  const own = (await shop.checkout(mug)).body.orderId;
  const other = await h.user();
  const place = (targetType: string | undefined, value: string, token = shop.customer.token) =>
    shop.checkout(mug, { token, blocks: [{ id: 'see', type: 'RELATIONSHIP', settings: { targetType }, value }] });
  for (const [targetType, id, made] of [
    ['PRODUCT', hidden, 'prod_none'],
    ['ENTRY', entryId, 'ent_none'],
    ['COLLECTION', collectionId, 'col_none'],
  ] as const) {
    const response = await place(targetType, id);
    assert.equal(response.status, 422, targetType);
    assert.deepEqual(response.body.details, (await place(targetType, made)).body.details);
    assert.equal((await place(undefined, id)).status, 422, targetType);
  }
  assert.equal((await place('ORDER', own, other.token)).status, 422, 'someone else’s order');
  assert.equal((await place('ORDER', own)).status, 200, 'their own order');
  assert.equal((await place('PRODUCT', mug)).status, 200);
  const manual = await h.call('POST', `${shop.base}/orders`, {
    token: shop.staff.token,
    body: {
      customerId: shop.customer.userId,
      market: 'us',
      lines: [{ productId: mug, variantId: 'main', quantity: 1 }],
      blocks: [{ id: 'see', type: 'RELATIONSHIP', settings: { targetType: 'PRODUCT' }, value: hidden }],
    },
  });
  assert.equal(manual.status, 200, 'staff see drafts');
});

test('order blocks are checked for size before they are parsed, and customers can’t send HTML', async () => {
  const mug = await shop.product();
  const html = (value: string) => [{ id: 'note', type: 'TEXT', settings: { variant: 'HTML' }, value }];
  assert.deepEqual(problems(await shop.checkout(mug, { blocks: html('<b>hi</b>') })), [
    'blocks[0].settings.variant INVALID_VALUE',
  ]);
  const long = await shop.checkout(mug, { blocks: html('<tr><td>'.repeat(10_000)) });
  assert.deepEqual(problems(long), ['blocks TOO_LONG']);
  assert.deepEqual(problems(await shop.checkout(mug, { quantity: 100, blocks: html('<tr><td>'.repeat(10_000)) })), [
    'items[0].quantity INSUFFICIENT_STOCK',
  ]);
  const staff = {
    customerId: shop.customer.userId,
    market: 'us',
    lines: [{ productId: mug, variantId: 'main', quantity: 1 }],
  };
  const manual = (value: string) =>
    h.call('POST', `${shop.base}/orders`, { token: shop.staff.token, body: { ...staff, blocks: html(value) } });
  assert.equal((await manual('<b>hi</b><script>')).body.blocks[0]!.value, '<b>hi</b>');
  assert.deepEqual(problems(await manual('x'.repeat(33_000))), ['blocks TOO_LONG']);

  const rich = await openShop(h, { orderBlocks: [{ id: 'note', type: 'TEXT', settings: { variant: 'HTML' } }] });
  const { orderId } = (await rich.checkout(await rich.product(), { blocks: [{ id: 'note', value: '<b>&' }] })).body;
  assert.equal((await rich.order(orderId)).blocks[0]!.value, '&lt;b&gt;&amp;', 'displayed as entered');
});

test('an oversized cart is rejected before it is parsed', async () => {
  const mug = await shop.product();
  const blocks = [{ id: 'a', type: 'TEXT', value: '<tr><td>'.repeat(60_000) }];
  assert.equal((await shop.checkout(mug, { blocks })).status, 413);
});

test('a cart has at most 100 lines', async () => {
  const mug = await shop.product({ quantity: 1000 });
  const items = Array.from({ length: 101 }, () => ({ productId: mug, variantId: 'main', quantity: 1 }));
  assert.deepEqual(problems(await shop.checkout(mug, { items })), ['items TOO_LONG']);
  assert.deepEqual(problems(await shop.quote(mug, { lines: items })), ['lines TOO_LONG']);
  assert.equal((await shop.quote(mug, { lines: items.slice(1) })).status, 200);
});

test('checkouts and quotes are rate limited per user', async () => {
  const strict = await startHarness({ LIMIT_CHECKOUT: '2/1000', LIMIT_QUOTE: '2/1000' });
  const other = await openShop(strict);
  const mug = await other.product();
  const second = await strict.user();
  for (const send of [other.checkout, other.quote]) {
    assert.deepEqual([(await send(mug)).status, (await send(mug)).status], [200, 200]);
    assert.equal((await send(mug)).status, 429);
    assert.equal((await send(mug, { token: second.token })).status, 200);
  }
});

test('in production, card payments require a provider unless PAYMENT_SANDBOX is set', async () => {
  const settings = { NODE_ENV: 'production', PUBLIC_URL: 'https://souk.example' };
  const strict = await startHarness(settings);
  const other = await openShop(strict);
  const mug = await other.product({ quantity: 5 });
  assert.deepEqual(problems(await other.checkout(mug)), ['paymentMethod PROVIDER_NOT_SET']);
  assert.equal((await other.checkout(mug, { paymentMethod: 'CASH' })).status, 200);
  assert.equal(await other.stock(mug), 4);
  const trial = await openShop(await startHarness({ ...settings, PAYMENT_SANDBOX: '1' }));
  assert.ok((await trial.checkout(await trial.product())).body.checkoutUrl);
});

test('return and cancel URLs must be on allowed origins', async () => {
  const strict = await startHarness({ ALLOWED_ORIGINS: 'https://shop.example' });
  const other = await openShop(strict);
  const mug = await other.product();
  for (const returnUrl of [
    'https://evil.example/',
    'javascript:alert(1)',
    'https://shop.example@evil.example/',
    '//evil.example',
  ]) {
    assert.deepEqual(problems(await other.checkout(mug, { returnUrl })), ['returnUrl INVALID_REDIRECT_URI'], returnUrl);
  }
  assert.equal(
    (await other.checkout(mug, { returnUrl: 'https://shop.example/x', cancelUrl: 'https://shop.example' })).status,
    200,
  );
});

test('guests can check out, but a token is required', async () => {
  const mug = await shop.product();
  const guest = await h.guest();
  const { body } = await shop.checkout(mug, { token: guest.token });
  assert.equal((await h.call('GET', `${shop.base}/orders/${body.orderId}`, { token: guest.token })).status, 200);
  assert.equal((await shop.checkout(mug, { token: '' })).status, 401);
});

test('an unpaid order expires once: it is canceled, its payment fails and its stock is returned', async () => {
  const mug = await shop.product({ quantity: 5 });
  const { body } = await shop.checkout(mug, { quantity: 3 });
  await passTime(h, 250);
  await h.drain();
  assert.equal(await shop.stock(mug), 2);
  await passTime(h, 60);
  await h.drain();
  const order = await shop.order(body.orderId);
  assert.deepEqual([last(order.statuses), last(order.paymentStatus)], ['CANCELLED', 'FAILED']);
  assert.equal(order.statuses.at(-1)!.changedBy, 'SYSTEM');
  assert.equal(await shop.stock(mug), 5);
  const late = await press(body.checkoutUrl!, 'pay');
  assert.equal(late.status, 410);
  assert.equal(await shop.stock(mug), 5);
  assert.equal(await shop.ledger(mug), 5);
});

test('a paid order does not expire', async () => {
  const mug = await shop.product({ quantity: 5 });
  const { body } = await shop.checkout(mug);
  await press(body.checkoutUrl!, 'pay');
  await passTime(h, 310);
  await h.drain();
  assert.equal(last((await shop.order(body.orderId)).statuses), 'PROCESSING');
  assert.equal(await shop.stock(mug), 4);
});

test('order numbers have no gaps, even if checkouts fail in between', async () => {
  const other = await openShop(h);
  const mug = await other.product({ quantity: 6 });
  const responses = await Promise.all(Array.from({ length: 12 }, () => other.checkout(mug)));
  assert.equal(responses.filter((response) => response.status === 200).length, 6);
  assert.deepEqual(
    (await other.orders()).map((order) => order.number),
    [1, 2, 3, 4, 5, 6],
  );
});

test('checkouts and quotes do not read product documents, however large', async () => {
  const mug = await shop.product({ name: 'Heavy mug', price: 1250, quantity: 5 });
  const rename = (name: string) =>
    h.call('PUT', `${shop.base}/products/${mug}`, { token: shop.staff.token, body: { name } });
  assert.equal((await rename('Light mug')).status, 200);
  const nameOf = async () => {
    const { body, status } = await shop.checkout(mug);
    assert.equal(status, 200, JSON.stringify(body));
    const [row] = await h.pool`select doc->'lines'->0->>'name' as name from orders where id = ${body.orderId}`;
    return row!.name;
  };
  await h.pool`update products set doc = '{}' where id = ${mug}`;
  assert.equal(await nameOf(), 'Light mug (Main)');
  const { body } = await shop.quote(mug, { quantity: 2 });
  assert.equal(body.subtotal, 2500);
  await h.pool`update stock set sold_as = null where product_id = ${mug}`;
  assert.equal((await shop.checkout(mug)).status, 422, 'stock without a variant is not for sale');
});
