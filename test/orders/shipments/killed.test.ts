import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Json, startHarness } from '../../harness.ts';
import { openShop } from '../shop.ts';

const h = await startHarness();
const ORDERS = 60;

test('after a kill, retries with the same Idempotency-Key create each shipment once and send one email for it', async () => {
  const shop = await openShop(h);
  const mug = await shop.product({ quantity: 1000 });
  const { token } = shop.staff;
  const orders: Json[] = [];
  for (let i = 0; i < ORDERS; i++) {
    const lines = [{ productId: mug, variantId: 'main', quantity: 2 }];
    const body = { customerId: shop.customer.userId, market: 'us', currency: 'usd', lines, email: `c${i}@example.com` };
    orders.push((await h.call('POST', `${shop.base}/orders`, { token, body })).body);
  }
  const child = fork(fileURLToPath(new URL('../service-process.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(h.target), DATA_DIR: h.config.dataDir },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  const ship = async (base: string, { id }: Json) => {
    const response = await fetch(`${base}${shop.base}/orders/${id}/shipments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `ship ${id}`.replace(' ', '-'),
      },
      body: JSON.stringify({ lines: [{ lineId: 'line_1', quantity: 1 }] }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const requests = orders.map((order) => ship(url, order).catch(() => null));
  await Promise.race(requests);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const first = await Promise.all(requests);
  assert.ok(first.includes(null), 'some requests were cut off');
  assert.ok(
    first.some((response) => response?.status === 200),
    'some requests got a response',
  );

  const again = await Promise.all(orders.map((order) => ship(h.url, order)));
  for (const [i, response] of again.entries()) {
    assert.equal(response.status, 200, JSON.stringify(response.body));
    if (first[i]) assert.deepEqual(response.body, first[i].body);
    const { shipments, fulfillment } = await shop.order(orders[i]!.id);
    assert.deepEqual([shipments, fulfillment], [[response.body], 'PARTIAL']);
  }
  await h.drain('order-tasks');
  const mails = ((await h.mailbox()) as Json[]).filter(({ subject }) => subject.includes('on its way'));
  assert.deepEqual(mails.map(({ to }) => to).sort(), orders.map(({ email }) => email).sort());
});
