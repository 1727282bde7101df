import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startHarness } from '../../harness.ts';
import { passTime } from '../shop.ts';
import { openReturnShop } from './shop.ts';

const h = await startHarness({ CHECKOUT_TTL: '300' });

test('a process killed while it refunds returns leaves exactly one refund for each', async () => {
  const shop = await openReturnShop(h);
  const product = await shop.product({ quantity: 100 });
  const sold: { orderId: string; id: string }[] = [];
  for (let i = 0; i < 30; i++) {
    const order = await shop.sold(product, 1);
    const { body } = await shop.request(order, 1, { token: shop.staff.token });
    await shop.step(body.id, 'receive', { restock: true });
    sold.push({ orderId: order.id, id: body.id });
  }
  const child = fork(fileURLToPath(new URL('../service-process.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(h.target), DATA_DIR: h.config.dataDir },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  const requests = sold.map(({ id }) =>
    fetch(`${url}${shop.base}/returns/${id}/close`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.staff.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ refund: true }),
    }).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  await Promise.race(requests);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.ok((await Promise.all(requests)).includes(0), 'some requests were cut off');
  await passTime(h, 120);
  await h.drain();
  for (const { orderId, id } of sold) {
    const refunds = await shop.refunds(orderId);
    const { body } = await h.call('GET', `${shop.base}/returns/${id}`, { token: shop.staff.token });
    assert.equal(body.status, refunds.length === 1 ? 'CLOSED' : 'RECEIVED');
    if (body.status !== 'CLOSED') assert.equal((await shop.step(id, 'close', { refund: true })).status, 200);
    assert.equal((await shop.step(id, 'close', { refund: true })).status, 409);
    const after = await shop.refunds(orderId);
    assert.deepEqual(
      after.map(({ amount, status }) => [amount, status]),
      [[1000, 'SUCCEEDED']],
    );
  }
  assert.equal(await shop.stock(product), 100);
});
