import assert from 'node:assert/strict';
import test from 'node:test';
import { openCarts } from '../../carts/cart-shop.ts';
import { shareHarness } from '../../harness.ts';
import { ok } from '../fixture.ts';
import { makeAutomations } from './fixture.ts';

const h = await shareHarness();
const shop = await openCarts(h);
const a = await makeAutomations({ ...h, business: async () => shop.businessId });
const steps = [{ id: 'mark', type: 'TAG', tag: 'seen' }];
const IDLE = 1200;

test('a paid order with the product or category starts a run for each order, if the customer is a subscriber', async () => {
  const [mug, tea] = [await shop.product({ quantity: null }), await shop.product({ quantity: null })];
  const any = await ok(a.create(steps, { trigger: { type: 'order.paid' } }));
  const mugs = await ok(a.create(steps, { trigger: { type: 'order.paid', productIds: [mug] } }));
  const category = await ok(a.create(steps, { trigger: { type: 'order.paid', categories: ['none'] } }));
  await a.subscribe('buyer@example.com');
  for (const product of [mug, tea, mug]) {
    for (const email of ['buyer@example.com', 'stranger@example.com']) {
      const { body } = await shop.checkout(product, { email, token: (await h.guest()).token, paymentMethod: 'CASH' });
      const path = `${a.base}/orders/${body.orderId}/payment-status` as const;
      const { token } = await h.member(shop.businessId, 'ORDER_WRITE');
      await ok(h.call('PUT', path, { token, body: { status: 'PAID' } }));
    }
    await a.run();
  }
  assert.equal((await a.people(any.id)).length, 3);
  assert.deepEqual(await a.people(mugs.id), Array(2).fill('buyer@example.com COMPLETED'));
  assert.deepEqual(await a.people(category.id), []);
});

test('an abandoned cart starts a run only with consent and without an order, and ordering it ends the run', async () => {
  const mug = await shop.product({ quantity: null });
  const trigger = { type: 'cart.abandoned', idleSeconds: IDLE };
  const { id } = await ok(a.create([{ ...steps[0], delaySeconds: IDLE }], { trigger }));
  const leave = async (name: string, more: object) => {
    const guest = await h.guest();
    await a.subscribe(`${name}@example.com`);
    return { guest, cart: await shop.create(guest, mug, 1, { email: `${name}@example.com`, ...more }) };
  };
  await leave('silent', { reminder: false });
  await leave('leaves', { reminder: true });
  const returns = await leave('returns', { reminder: true });
  const orders = await leave('orders', { reminder: true });
  await shop.order(orders.guest, orders.cart.id, { paymentMethod: 'CASH' });
  await a.run();
  assert.deepEqual(await a.people(id), []);
  h.clock.advance(IDLE + 1);
  await a.run();
  assert.deepEqual(await a.people(id), ['leaves@example.com ACTIVE mark', 'returns@example.com ACTIVE mark']);
  await shop.order(returns.guest, returns.cart.id, { paymentMethod: 'CASH' });
  await a.run();
  assert.deepEqual(await a.people(id), ['leaves@example.com ACTIVE mark', 'returns@example.com EXITED ORDERED']);
});

test('the end of a paid plan starts a run for people who still get the newsletter, but unsubscribing does not', async () => {
  const { id } = await ok(a.create(steps, { trigger: { type: 'plan.ended' } }));
  for (const name of ['moved', 'upgraded', 'leaver']) await a.subscribe(`${name}@example.com`);
  await h.pool`
    update subscriptions set plan_id = 'club'
    where business_id = ${a.businessId} and email_key in ('moved@example.com', 'leaver@example.com')`;
  const idOf = async (name: string) => (await a.subscriber(`${name}@example.com`)).id;
  await ok(a.tag(await idOf('moved'), [], { planId: 'free' }));
  await ok(a.tag(await idOf('upgraded'), [], { planId: 'club' }));
  await ok(a.tag(await idOf('leaver'), [], { status: 'UNSUBSCRIBED' }));
  await a.run();
  assert.deepEqual(await a.people(id), ['moved@example.com COMPLETED']);
});

test('an event starts an automation once, however often it is numbered and processed', async () => {
  const { id } = await ok(a.create(steps, { trigger: { type: 'tag.added', tag: 'again' } }));
  await a.subscribe('again@example.com');
  const subscriber = await a.subscriber('again@example.com');
  for (const tags of [['again'], [], ['again']]) await ok(a.tag(subscriber.id, tags));
  await Promise.all([h.numberEvents(a.businessId), h.numberEvents(a.businessId)]);
  await Promise.all([a.run(), a.run()]);
  assert.deepEqual(await a.people(id), ['again@example.com COMPLETED']);
});

test('imported subscribers, and events from before the automation was turned on, start no runs', async () => {
  const { id } = await ok(a.create(steps));
  const emit = async (email: string, createdAt: number, actor: object) => {
    await ok(a.subscribe(email));
    await h.pool`delete from event_outbox where business_id = ${a.businessId} and data ->> 'email' = ${email}`;
    await h.pool`delete from automation_signals where business_id = ${a.businessId}`;
    const { id: subscriptionId } = await a.subscriber(email);
    await h.pool`
      insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
      values (${a.businessId}, 'subscription.confirmed', ${`subscription:${subscriptionId}`}, ${h.pool.json(actor as never)}, '', '{}', ${createdAt})`;
    await a.run();
  };
  await a.run();
  await emit('earlier@example.com', h.clock.seconds() - 60, { type: 'SYSTEM' });
  await emit('imported@example.com', h.clock.seconds(), { type: 'USER', requestId: 'imp_1' });
  await emit('now@example.com', h.clock.seconds(), { type: 'SYSTEM' });
  assert.deepEqual(await a.people(id), ['now@example.com COMPLETED']);
});
