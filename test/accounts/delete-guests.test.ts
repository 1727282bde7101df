import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await shareHarness();
const DAY = 86_400;

test('only guests without orders are deleted after 30 days, together with their sessions', async () => {
  const shop = await openShop(h);
  const [idle, customer, person] = [await h.guest(), await h.guest(), await h.user()];
  const order = await shop.checkout(await shop.product(), { token: customer.token, paymentMethod: 'CASH' });
  assert.equal(order.status, 200, JSON.stringify(order.body));
  const remaining = async () => {
    await h.service.contexts.system().transaction((ctx) => ctx.enqueue('delete-guests', {}));
    await h.drain('delete-guests');
    const rows = await h.pool<{ id: string }[]>`select id from users`;
    return rows.map((row) => row.id);
  };
  h.clock.advance(29 * DAY);
  const young = await h.guest();
  assert.ok((await remaining()).includes(idle.userId));
  h.clock.advance(2 * DAY);
  const left = await remaining();
  assert.ok(!left.includes(idle.userId));
  assert.equal((await h.pool`select id from sessions where user_id = ${idle.userId}`).length, 0);
  for (const { userId } of [customer, person, young]) assert.ok(left.includes(userId));
});
