/** The demo inserts its history in bulk. These tests replay it through the API and compare the stored rows. */
import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { seedDemo } from '../../src/demo/index.ts';
import { type Json, shareHarness, type TestUser } from '../harness.ts';
import { last } from '../orders/shop.ts';

const h = await shareHarness();
const base = '/v1/businesses/biz_demo';
let headers: Record<string, string>;
let orders: Json[];
/** By user ID. */
let customers: Map<string, Json>;

before(async () => {
  headers = { 'x-api-key': (await seedDemo(h.service.contexts.system()))!.apiKey };
  orders = await select(`select id, doc, customer_id from orders order by number`);
  customers = new Map(
    (await select('select user_id, email_key as email from customers')).map((row) => [row.userId, row]),
  );
});

const select = (text: string, values: unknown[] = []): Promise<Json[]> => h.pool.db.text<Json[]>(text, values);

type Placed = { id: string; checkoutUrl: string; seeded: Json };

const pay = ({ checkoutUrl }: Placed, action = 'pay') =>
  fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' });

async function staff(method: string, path: string, body: object): Promise<void> {
  const response = await h.call(method, `${base}/orders/${path}`, { headers, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
}
const setStatus = ({ id }: Placed, status: string, more: object = {}) =>
  staff('PUT', `${id}/status`, { status, ...more });
const setPaid = ({ id }: Placed) => staff('PUT', `${id}/payment-status`, { status: 'PAID' });
const ship = (placed: Placed) => setStatus(placed, 'SHIPPED', { tracking: placed.seeded.doc.tracking });

/** Repeats the refunds of the seeded order. */
async function refund({ id, seeded }: Placed): Promise<void> {
  for (const { amount, reason } of await select('select * from refunds where reference = $1', [seeded.id])) {
    await staff('POST', `${id}/refund`, { amount, reason });
  }
}

async function expire(seconds: number, queue: string): Promise<void> {
  h.clock.advance(seconds);
  await h.drain(queue);
}

/** The two histories of an order. */
const pathOf = ({ doc }: Json) =>
  [doc.statuses, doc.paymentStatus].map((history) => history.map(({ status }: Json) => status).join(' ')).join(', ');
const endedBy = ({ doc }: Json) => doc.statuses.at(-1).changedBy;

type Scenario = { isLike: (order: Json) => boolean; live: (placed: Placed) => Promise<unknown> };

const SCENARIOS: Record<string, Scenario> = {
  'paid, shipped and delivered': {
    isLike: (order) => pathOf(order) === 'PENDING PROCESSING SHIPPED DELIVERED, PENDING PAID',
    live: async (placed) => {
      await pay(placed);
      await ship(placed);
      await setStatus(placed, 'DELIVERED');
    },
  },
  'paid after a declined card': {
    isLike: (order) => pathOf(order) === 'PENDING PROCESSING SHIPPED DELIVERED, PENDING FAILED PAID',
    live: async (placed) => {
      await pay(placed, 'decline');
      await pay(placed);
      await ship(placed);
      await setStatus(placed, 'DELIVERED');
    },
  },
  'partially refunded': {
    isLike: (order) => pathOf(order) === 'PENDING PROCESSING SHIPPED DELIVERED, PENDING PAID PARTIALLY_REFUNDED',
    live: async (placed) => {
      await pay(placed);
      await ship(placed);
      await setStatus(placed, 'DELIVERED');
      await refund(placed);
    },
  },
  'returned and fully refunded': {
    isLike: (order) => pathOf(order) === 'PENDING PROCESSING SHIPPED DELIVERED REFUNDED, PENDING PAID REFUNDED',
    live: async (placed) => {
      await pay(placed);
      await ship(placed);
      await setStatus(placed, 'DELIVERED');
      await refund(placed);
      await setStatus(placed, 'REFUNDED');
    },
  },
  'canceled by staff and refunded': {
    isLike: (order) => pathOf(order) === 'PENDING PROCESSING CANCELLED, PENDING PAID REFUNDED',
    live: async (placed) => {
      await pay(placed);
      await setStatus(placed, 'CANCELLED');
      await refund(placed);
    },
  },
  'paid in cash on pickup': {
    isLike: (order) =>
      order.doc.paymentMethod === 'CASH' && pathOf(order) === 'PENDING PROCESSING DELIVERED, PENDING PAID',
    live: async (placed) => {
      await setPaid(placed);
      await setStatus(placed, 'DELIVERED');
    },
  },
  free: {
    isLike: ({ doc }) => doc.total === 0 && last(doc.statuses) === 'DELIVERED',
    live: (placed) => setStatus(placed, 'DELIVERED'),
  },
  'waiting for cash': {
    isLike: (order) => pathOf(order) === 'PENDING, PENDING',
    live: async () => {},
  },
  'canceled on the payment page': {
    isLike: (order) => pathOf(order) === 'PENDING CANCELLED, PENDING FAILED' && endedBy(order) === 'USER',
    live: (placed) => pay(placed, 'cancel'),
  },
  'expired card payment': {
    isLike: (order) =>
      order.doc.paymentMethod === 'CREDIT_CARD' &&
      pathOf(order) === 'PENDING CANCELLED, PENDING FAILED' &&
      endedBy(order) === 'SYSTEM' &&
      order.doc.paymentStatus[1].timestamp === order.doc.statuses[1].timestamp,
    live: () => expire(1801, 'payment-watch'),
  },
  'declined, then expired': {
    isLike: ({ doc, ...order }) =>
      pathOf({ doc, ...order }) === 'PENDING CANCELLED, PENDING FAILED' &&
      doc.paymentStatus[1].timestamp < doc.statuses[1].timestamp,
    live: async (placed) => {
      await pay(placed, 'decline');
      await expire(1801, 'payment-watch');
    },
  },
  'expired cash order': {
    isLike: (order) => order.doc.paymentMethod === 'CASH' && pathOf(order) === 'PENDING CANCELLED, PENDING FAILED',
    live: () => expire(7 * 86_400 + 1, 'order-tasks'),
  },
};

/** Places an order with the same content, as an account or guest like the seeded customer. Null if out of stock. */
async function placeAgain(seeded: Json): Promise<Placed | null> {
  const { market, lines, shippingMethodId, shippingAddress, paymentMethod, promoCode, blocks } = seeded.doc;
  const { email } = customers.get(seeded.customerId)!;
  const customer: TestUser = email === null ? await h.guest() : await h.user();
  const { status, body } = await h.call('POST', `${base}/orders/checkout`, {
    token: customer.token,
    body: {
      market,
      shippingMethodId,
      shippingAddress,
      paymentMethod,
      promoCode,
      items: lines.map(({ productId, variantId, quantity }: Json) => ({ productId, variantId, quantity })),
      email: customer.email ?? 'somebody@example.com',
      blocks,
    },
  });
  if (status === 200) return { id: body.orderId, checkoutUrl: body.checkoutUrl ?? '', seeded };
  assert.match(JSON.stringify(body), /INSUFFICIENT_STOCK/);
  return null;
}

/** The events of an entity, oldest first. */
async function eventsOf(entity: string): Promise<Json[]> {
  await h.numberEvents('biz_demo');
  return select('select type, sequence, actor, data, changes from events where entity = $1 order by position', [
    entity,
  ]);
}

/** All stored rows of an order, without values that differ between any two orders. */
const storedOrder = async (id: string): Promise<Json> =>
  neutral({
    order: await select('select * from orders where id = $1', [id]),
    payments: await select('select * from payments where id = $1', [id]),
    refunds: await select('select * from refunds where reference = $1 order by id', [id]),
    stock: await select(
      'select product_id, variant_id, change, reason, user_id, created_at from stock_ledger where reference = $1 order by product_id, variant_id, id',
      [id],
    ),
    events: await eventsOf(`order:${id}`),
  });

/** The same for a subscription, without renewals. */
const storedSubscription = async (id: string): Promise<Json> =>
  neutral({
    subscription: await select('select * from subscriptions where id = $1', [id]),
    payments: await select('select * from payments where reference like $1', [`${id}/%`]),
    agreements: await select('select * from agreements where reference like $1', [`${id}/%`]),
    charges: await select(
      `select c.* from agreement_charges c join agreements a on a.business_id = c.business_id and a.id = c.agreement_id
       where a.reference like $1 and c.id not like 'sandbox_%'`,
      [`${id}/%`],
    ),
    events: (await eventsOf(`subscription:${id}`)).filter(({ type }) => type !== 'subscription.renewed'),
  });

const storedCustomer = async (id: string): Promise<Json> =>
  neutral({
    customer: await select('select * from customers where id = $1', [id]),
    events: await eventsOf(`customer:${id}`),
  });

function assertSame(seeded: Json, made: Json): void {
  for (const part of Object.keys(made)) assert.deepEqual(seeded[part], made[part], part);
}

const SAME_FOR_ALL: Record<string, unknown> = {
  number: 0,
  docBytes: 0,
  customerEmail: '@',
  email: '@',
  emailKey: '@',
  address: '',
  url: '/pay',
  providerRefundId: 'sandbox',
};

/** Replaces IDs with their prefix, and times and addresses with constants. */
function neutral(value: Json, name = ''): Json {
  if (name in SAME_FOR_ALL) return value === null ? null : SAME_FOR_ALL[name];
  if (typeof value === 'number' && value > 1_500_000_000) return 'time';
  if (typeof value === 'string')
    return value.replaceAll(/\b(ord|doc|shp|usr|st|rfd|pay|sub|cust|snd|ent)_[0-9a-z]{26}\b/g, '$1');
  if (Array.isArray(value)) return value.map((each) => neutral(each));
  if (typeof value !== 'object' || value === null) return value;
  // This test calls as staff with an API key, and its requests have IDs.
  const { requestId: _, keyId: __, ...rest } = value;
  if (rest.type === 'API_KEY') rest.type = 'USER';
  if ('email' in rest && 'name' in rest) rest.name = '';
  return Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, neutral(each, key)]));
}

for (const [name, { isLike, live }] of Object.entries(SCENARIOS)) {
  test(`a seeded order has the same rows as one placed through the API: ${name}`, async () => {
    const matching = orders.filter(isLike);
    assert.ok(matching.length > 0, 'the demo has such an order');
    let placed: Placed | null = null;
    for (const seeded of matching) placed ??= await placeAgain(seeded);
    assert.ok(placed, 'one of them is in stock');
    await live(placed);
    assertSame(await storedOrder(placed.seeded.id), await storedOrder(placed.id));
  });
}

const findOne = async (text: string): Promise<Json> => (await select(text))[0]!;

async function subscribe({ token, email }: TestUser, planId: string): Promise<{ id: string; checkoutUrl?: string }> {
  const { collectionId } = await findOne('select collection_id from subscriptions limit 1');
  const body = { email: email ?? 'reader@example.com', planId, name: 'Ada' };
  const response = await h.call('POST', `${base}/collections/${collectionId}/subscribe`, { token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  const [row] = await select('select id from subscriptions where email = $1', [body.email]);
  return { ...(response.body as object), id: row.id };
}

test('a seeded subscription has the same rows as one created through the API: a guest who unsubscribes', async () => {
  const seeded = await findOne(
    `select id from subscriptions where status = 'UNSUBSCRIBED' and user_id is null limit 1`,
  );
  const { id } = await subscribe(await h.guest(), 'free');
  const { newsletters } = h.service.contexts.system() as Json;
  const token = newsletters.tokens.url('', 'biz_demo', id).split('/').at(-1);
  const response = await h.call('POST', `${base}/collections/unsubscribe`, { body: { token } });
  assert.equal(response.status, 200);
  assertSame(await storedSubscription(seeded.id), await storedSubscription(id));
});

test('a seeded subscription has the same rows as one created through the API: a paid plan', async () => {
  const seeded = await findOne(`select id from subscriptions
    where status = 'ACTIVE' and plan_id = 'club' and consent ->> 'source' = 'PAYMENT' limit 1`);
  const { id, checkoutUrl } = await subscribe(await h.user(), 'club');
  await pay({ checkoutUrl: checkoutUrl! } as Placed);
  await h.drain('agreement-sync');
  assertSame(await storedSubscription(seeded.id), await storedSubscription(id));
});

test('a seeded send has the same rows as one created through the API', async () => {
  const seeded = await findOne('select id, entry_id from sends order by id limit 1');
  const { id: entryId } = await findOne(
    `select id from entries where owner like 'collection:%' and doc::text like '%blankets are back%'`,
  );
  const { body } = await h.call('POST', `${base}/entries/${entryId}/send`, { headers, body: {} });
  await h.drain();
  const counts = ['recipients', 'sent', 'failed', 'size', 'total', 'content'];
  const stored = async (id: string) => {
    const parts = {
      sends: await select('select * from sends where id = $1', [id]),
      deliveries: await select(
        `select * from deliveries where send_id = $1 and status = 'SENT' and clicked_at is null and left_at is null limit 1`,
        [id],
      ),
      batches: await select('select * from delivery_batches where send_id = $1', [id]),
      events: await eventsOf(`send:${id}`),
    };
    return JSON.parse(JSON.stringify(neutral(parts), (key, value) => (counts.includes(key) ? typeof value : value)));
  };
  assertSame(await stored(seeded.id), await stored(body.id));
});

test('a seeded customer has the same rows as one that a member edits through the API', async () => {
  const seeded = await findOne(`select * from customers where note <> '' and email is not null limit 1`);
  const user = await h.user();
  const items = [
    { productId: orders[0].doc.lines[0].productId, variantId: orders[0].doc.lines[0].variantId, quantity: 1 },
  ];
  const checkout = { market: 'us', paymentMethod: 'CASH', shippingMethodId: 'pickup', items };
  assert.equal((await h.call('POST', `${base}/orders/checkout`, { token: user.token, body: checkout })).status, 200);
  const [{ id }] = (await select('select id from customers where user_id = $1', [user.userId])) as [Json];
  const { tags, note, phone } = seeded;
  const response = await h.call('PUT', `${base}/customers/${id}`, { headers, body: { tags, note, phone } });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  assertSame(await storedCustomer(seeded.id), await storedCustomer(id));
});

test('a seeded delivery has the same ledger entry and event as a stock adjustment through the API', async () => {
  const where = 'product_id = $1 and variant_id = $2';
  const seeded = await findOne(`select * from stock_ledger where reason = 'ADJUST' limit 1`);
  const { productId, variantId, change } = seeded;
  const url = `${base}/products/${productId}/variants/${variantId}/inventory`;
  assert.equal((await h.call('POST', url, { headers, body: { adjust: change } })).status, 200);
  const made = (
    await select(`select * from stock_ledger where ${where} order by id desc limit 1`, [productId, variantId])
  )[0];
  const ledger = ({ id: _, quantity: __, ...row }: Json) => neutral(row);
  assert.deepEqual(ledger(seeded), ledger(made));
  const events = (await eventsOf(`product:${productId}`)).filter(({ type }) => type === 'product.updated');
  const outline = ({ actor, changes, data }: Json) => [neutral(actor), Object.keys(changes), Object.keys(data).sort()];
  assert.deepEqual(outline(events[0]), outline(events.at(-1)));
});

test('emails about demo orders show pictures in a format that email clients support', async () => {
  const [{ id }] = (await select(`select id from orders where customer_email is not null order by number limit 1`)) as [
    Json,
  ];
  const path = `${base}/mail-templates/CONFIRMED/preview?locale=en` as const;
  const { body } = await h.call('POST', path, { headers, body: { orderId: id } });
  const urls = [...(body as Json).html.matchAll(/<img src="([^"]+)"/g)].map(([, url]) => url as string);
  assert.ok(urls.length > 0);
  for (const url of urls) assert.equal((await fetch(url)).headers.get('content-type'), 'image/png');
});
