import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { planSubscribers } from '../../src/demo/audience/plan.ts';
import { stockToday } from '../../src/demo/catalog.ts';
import { seedDemo } from '../../src/demo/index.ts';
import { planIssues } from '../../src/demo/newsletters.ts';
import { planCustomerNotes } from '../../src/demo/sales/customer-notes.ts';
import { planOrders } from '../../src/demo/sales/plan.ts';
import { planStock } from '../../src/demo/sales/stock-plan.ts';
import { type Json, shareHarness } from '../harness.ts';
import { last } from '../orders/shop.ts';

const h = await shareHarness();
const base = '/v1/businesses/biz_demo';
const DAY = 86_400;
let headers: Record<string, string>;
let orders: Json[];

before(async () => {
  const secrets = await seedDemo(h.service.contexts.system());
  headers = { 'x-api-key': secrets!.apiKey };
  orders = await list('orders');
});

/** All items in a list. */
async function list(path: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor = ''; ; ) {
    const more = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { status, body } = await h.call('GET', `${base}/${path}${path.includes('?') ? '&' : '?'}${more}` as string, {
      headers,
    });
    assert.equal(status, 200, JSON.stringify(body));
    items.push(...body.items);
    if (!body.cursor) return items;
    cursor = body.cursor;
  }
}

const rows = (text: string) => h.pool.db.text<Json[]>(text);
const sum = (amounts: number[]) => amounts.reduce((whole, amount) => whole + amount, 0);

test('there are orders in every status, numbered chronologically and none in the future', () => {
  assert.ok(orders.length > 200, String(orders.length));
  assert.deepEqual(
    orders.map(({ number }) => number),
    orders.map((_, i) => orders.length - i),
  );
  const times = orders.map(({ createdAt }) => createdAt);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
  assert.ok(times.at(-1)! < h.clock.seconds() - 85 * DAY);
  for (const { statuses, paymentStatus } of orders) {
    for (const history of [statuses, paymentStatus]) {
      const entries = history.map(({ timestamp }: Json) => timestamp);
      assert.deepEqual(entries, entries.toSorted());
      assert.ok(entries.at(-1) <= h.clock.seconds());
    }
  }
  const seen = (field: string) => [...new Set(orders.map((order) => last(order[field])))].sort();
  assert.deepEqual(seen('statuses'), ['CANCELLED', 'DELIVERED', 'PENDING', 'PROCESSING', 'REFUNDED', 'SHIPPED']);
  assert.deepEqual(seen('paymentStatus'), ['FAILED', 'PAID', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED']);
  assert.ok(orders.filter(({ promoCode }) => promoCode === 'WELCOME10').length > 10);
  const byCustomer = Map.groupBy(orders, ({ customerId }) => customerId);
  assert.ok([...byCustomer.values()].filter((own) => own.length > 1).length > 20, 'many customers order again');
});

test('two runs on the same day plan the same orders', () => {
  const now = Date.UTC(2030, 4, 17, 15) / 1000;
  const plan = () =>
    planOrders(now, [now - 17 * DAY], { checkoutSeconds: 1800, cashSeconds: 7 * DAY, takesCards: true });
  assert.deepEqual(plan(), plan());
});

const PATHS = [
  'CREDIT_CARD pay ship deliver',
  'CREDIT_CARD decline pay ship deliver',
  'CREDIT_CARD pay ship deliver refund',
  'CREDIT_CARD pay ship deliver refund takeBack',
  'CREDIT_CARD pay cancel refund',
  'CREDIT_CARD giveUp',
  'CREDIT_CARD expire',
  'CREDIT_CARD decline expire',
  'CASH pay deliver',
  'CASH expire',
  'CASH',
  'FREE deliver',
];

test('the plan has orders in every status, regardless of the day and hour of the first run', () => {
  for (let start = 0; start < 56; start++) {
    const now = Date.UTC(2030, 4, 1 + start, (start * 5) % 24) / 1000;
    const issues = planIssues(now).map((issue) => issue.at);
    const plan = planOrders(now, issues, { checkoutSeconds: 1800, cashSeconds: 7 * DAY, takesCards: true });
    const paths = new Set(plan.map((order) => [order.paymentMethod, ...order.steps.map((step) => step.do)].join(' ')));
    for (const path of PATHS) assert.ok(paths.has(path), `${path}, day ${start}`);
    const subscribers = planSubscribers(now, plan, { issues, takesCards: true });
    const plans = new Set(subscribers.map(({ plan: chosen, leaving }) => leaving?.how ?? chosen));
    assert.deepEqual([...plans].sort(), ['BOUNCE', 'CLUB', 'FREE', 'LAPSED', 'UNPAID', 'UNSUBSCRIBE'], `day ${start}`);
    assert.equal(planCustomerNotes(plan, now).filter(({ note }) => note !== '').length, 4);
    const { opening, deliveries } = planStock(plan, stockToday(), now - 91 * DAY);
    assert.ok([...opening.values(), ...deliveries.map(({ quantity }) => quantity)].every((quantity) => quantity >= 0));
  }
});

test('without card payments, orders are paid in cash and none is declined', () => {
  const now = Date.UTC(2030, 4, 17, 15) / 1000;
  const plan = planOrders(now, [], { checkoutSeconds: 1800, cashSeconds: 7 * DAY, takesCards: false });
  assert.deepEqual([...new Set(plan.map(({ paymentMethod }) => paymentMethod))].sort(), ['CASH', 'FREE']);
  assert.ok(plan.every(({ steps }) => steps.every((step) => step.do !== 'decline' && step.do !== 'giveUp')));
});

test('every order has the total of a quote, and its amounts add up', async () => {
  const quoted = orders.filter(({ promoCode }, i) => promoCode || i % 8 === 0);
  for (const { market, lines, shippingMethodId, shippingAddress, promoCode, ...order } of quoted) {
    const basket = { businessId: 'biz_demo', market, lines, shippingMethodId, shippingAddress, promoCode };
    const { body: quote } = await h.call('POST', '/v1/payments/quote', { headers, body: basket });
    for (const field of ['subtotal', 'tax', 'shipping', 'discount', 'total'] as const) {
      assert.equal(order[field], quote[field], `${field} of order ${order.number}`);
    }
  }
  const [payments, refunds] = [await rows('select * from payments'), await rows('select * from refunds')];
  for (const order of orders) {
    const { id, number, subtotal, tax, shipping, discount, total, paid, refunded, lines } = order;
    assert.equal(total, subtotal + tax + shipping - discount, `order ${number}`);
    for (const { quantity, unitPrice, totalPrice } of lines) assert.equal(totalPrice, quantity * unitPrice);
    const payment = payments.find((each) => each.id === id);
    if (payment) assert.deepEqual([payment.amount, payment.paid], [total, paid], `payment of order ${number}`);
    const back = refunds.filter(({ reference }) => reference === id);
    assert.equal(refunded, sum(back.map(({ amount }) => amount)), `refunds of order ${number}`);
    const isPaid = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(last(order.paymentStatus)!);
    assert.equal(paid, isPaid ? total : 0, `paid of order ${number}`);
  }
});

test('the sales statistics equal the sums over the orders', async () => {
  const to = h.clock.seconds() + 1;
  const from = to - 100 * DAY;
  const { body } = await h.call('GET', `${base}/stats?from=${from}&to=${to}`, { headers });
  const sold = orders.filter(
    ({ statuses, paymentStatus }) =>
      last(statuses) !== 'CANCELLED' && ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(last(paymentStatus)!),
  );
  for (const { currency, orders: count, sales, refunds } of body.totals) {
    const own = sold.filter((order) => order.currency === currency);
    const figures = [own.length, sum(own.map(({ total }) => total)), sum(own.map(({ refunded }) => refunded))];
    assert.deepEqual([count, sales, refunds], figures, currency);
  }
  assert.equal(body.totals.length, 2);
  const subscribers = await rows("select count(*)::int from subscriptions where status = 'ACTIVE'");
  assert.equal(body.subscribers.active, subscribers[0].count);
});

test('the stock history adds up to the stock, and some variants are low or sold out', async () => {
  const stock: Json[] = (await list('products')).flatMap(({ id, variants }) =>
    variants.map(({ id: variantId, inventory }: Json) => ({ id, variantId, ...inventory })),
  );
  for (const { id, variantId, tracked, quantity } of stock) {
    const changes = (await list(`products/${id}/variants/${variantId}/inventory/history`)).reverse();
    let left = 0;
    for (const change of changes) {
      left += change.change;
      assert.equal(change.quantity, left, `${id} ${variantId}`);
      assert.ok(left >= 0);
    }
    if (tracked) assert.equal(left, quantity, `${id} ${variantId}`);
  }
  const tracked = stock.filter((each) => each.tracked);
  assert.ok(tracked.some(({ quantity }) => quantity === 0));
  assert.ok(
    tracked.filter(({ quantity, lowStockThreshold }) => quantity > 0 && quantity <= lowStockThreshold).length > 2,
  );
});

test('the promo code counts one use for each order that has it', async () => {
  const [code] = await list('promo-codes');
  const using = orders.filter(({ promoCode, statuses }) => promoCode && last(statuses) !== 'CANCELLED');
  assert.equal(code.uses, using.length);
  const users = await rows('select user_id, uses from promo_uses');
  assert.deepEqual(users.map(({ userId }) => userId).sort(), using.map(({ customerId }) => customerId).sort());
});

test('everyone who ordered is a customer with a name, with or without an account', async () => {
  const customers = await list('customers');
  const ids = new Set(customers.map(({ userId }) => userId));
  assert.ok(orders.every(({ customerId }) => ids.has(customerId)));
  assert.ok(customers.every(({ name }) => name !== ''));
  assert.ok(customers.some(({ hasAccount }) => hasAccount) && customers.some(({ hasAccount }) => !hasAccount));
});

test('there are subscribers in every status, and each issue goes to more of them than the last', async () => {
  const collections = await list('collections');
  const newsletter = collections.find(({ type }) => type === 'NEWSLETTER');
  const subscribers = await list(`collections/${newsletter.id}/subscribers`);
  const seen = [...new Set(subscribers.map(({ status }) => status))].sort();
  assert.deepEqual(seen, ['ACTIVE', 'BOUNCED', 'PAST_DUE', 'PENDING', 'UNSUBSCRIBED']);
  const recipients: number[] = [];
  for (const { id } of (await list(`entries?collectionId=${newsletter.id}`)).reverse()) {
    for (const { id: sendId, status, total, sent, failed } of await list(`entries/${id}/sends`)) {
      const deliveries = await list(`entries/${id}/sends/${sendId}/deliveries`);
      assert.deepEqual([status, total, sent + failed], ['SENT', deliveries.length, deliveries.length]);
      recipients.push(total);
    }
  }
  assert.equal(recipients.length, 3);
  assert.deepEqual(
    recipients,
    recipients.toSorted((a, b) => a - b),
    'the audience grows',
  );
  const club = subscribers.find(({ planId, status }) => planId === 'club' && status === 'PAST_DUE');
  const { body } = await h.call('GET', `${base}/collections/${newsletter.id}/subscribers/${club.id}`, { headers });
  assert.equal(body.billing?.charges[0]?.status, 'FAILED');
});

test('the event feed is chronological', async () => {
  await h.numberEvents('biz_demo');
  const times = (await rows('select created_at from events order by position')).map(({ createdAt }) => createdAt);
  assert.ok(times.length > 1000);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  const feed = await h.call('GET', `${base}/events?types=order.*&limit=100`, { headers });
  assert.equal(feed.status, 200);
});

/** The plans of subscribers renew. */
const RENEWED = 'Your plan for Letter from the shop was renewed';

/** Cron jobs. */
const UPKEEP = ['delete-guests', 'events-upkeep'];

test('background jobs change no past order and send no email about one, today or a month later', async () => {
  const state = () =>
    rows(`select id, version, status, payment_status from orders
      union all select id, 0, status, updated_at::text from payments
      union all select id, 0, status, updated_at::text from refunds
      union all select id, 0, status, completed_at::text from sends
      order by id`);
  const untouched = await state();
  for (const days of [0, 35]) {
    h.clock.advance(days * DAY);
    await h.pool.transaction(async (tx) => {
      for (const name of UPKEEP) await h.service.jobs.enqueue(tx, '', name, {});
    });
    await h.drain();
    assert.deepEqual(await state(), untouched);
    const mails = (await h.mailbox()).map((mail) => (mail.kind === 'mail' ? mail.subject : mail.kind));
    assert.deepEqual(
      mails.filter((subject) => subject !== RENEWED),
      [],
    );
  }
});
