import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ApiResponse, type Json, startHarness } from '../harness.ts';
import { assertConsistent, openShop, passTime } from './shop.ts';

const h = await startHarness({ CHECKOUT_TTL: '300' });
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

test('a killed process leaves no order without its stock and no deducted stock without its order', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 100 });
  const child = fork(fileURLToPath(new URL('./service-process.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(h.target), DATA_DIR: h.config.dataDir },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  const call = (_method: string, path: string, options: Json) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(options.body),
    }).then(async (response) => ({ status: response.status, body: await response.json(), headers: response.headers }));
  const requests = times(150, (i) =>
    shop.checkout(product, { call: call as never, quantity: 1, paymentMethod: i % 2 ? 'CASH' : 'CREDIT_CARD' }).then(
      ({ status }: ApiResponse) => status,
      () => 0,
    ),
  );
  await Promise.race(requests);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const responses = await Promise.all(requests);
  assert.ok(responses.includes(0), 'some requests were cut off');
  await assertConsistent(shop, product, 100);
  const orders = await shop.orders();
  assert.ok(orders.length >= responses.filter((status) => status === 200).length);
  await passTime(h, 310);
  await h.drain();
  const cash = (await shop.orders()).filter((order) => order.holds).length;
  assert.equal(await shop.stock(product), 100 - cash);
  await assertConsistent(shop, product, 100);
  assert.deepEqual(
    orders.map((order) => order.number),
    times(orders.length, (i) => i + 1),
  );
});
