import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Json, startHarness } from '../../harness.ts';
import { openShop } from '../shop.ts';
import { ACCOUNT, camt } from './files.ts';

const h = await startHarness();
const ORDERS = 60;

test('a killed process leaves no bank payment without its paid order, and no paid order without its bank payment', async () => {
  const markets = [{ id: 'de', currency: 'eur', paymentMethods: [{ method: 'BANK_TRANSFER' }] }];
  const shop = await openShop(h, { markets, bankTransfer: { holder: 'Souk', iban: ACCOUNT } });
  const product = await shop.product({ quantity: ORDERS, currency: 'eur', market: 'de', price: 1000 });
  const credits = [];
  for (let i = 0; i < ORDERS; i++) {
    const { body } = await shop.checkout(product, { market: 'de', paymentMethod: 'BANK_TRANSFER' });
    const order = (await shop.order(body.orderId)) as Json;
    credits.push({ amount: '10.00', text: order.bankTransfer.reference });
  }
  const child = fork(fileURLToPath(new URL('../service-process.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(h.target), DATA_DIR: h.config.dataDir },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  const post = (path: string, type: string, body: string) =>
    fetch(`${url}${shop.base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.staff.token}`, 'content-type': type },
      body,
    });
  const statement = (await (await post('/bank-statements', 'text/xml', camt(credits))).json()) as Json;
  const path = `/bank-statements/${statement.id}/book`;
  const requests = (statement.entries as Json[]).map(({ id }) =>
    post(path, 'application/json', JSON.stringify({ entries: [{ id }] })).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  await Promise.race(requests);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const responses = await Promise.all(requests);
  assert.ok(responses.includes(0), 'some requests were cut off');
  const booked = await h.pool<{ orderId: string }[]>`
    select order_id from bank_bookings where business_id = ${shop.businessId} order by order_id`;
  const paid = await h.pool<{ id: string }[]>`
    select id from orders where business_id = ${shop.businessId} and paid = 1000 and payment_status = 'PAID'
      and status = 'PROCESSING' and (doc ->> 'received')::int = 1000 order by id`;
  const received = await h.pool`
    select from orders where business_id = ${shop.businessId} and doc ? 'received'`;
  assert.deepEqual(
    booked.map(({ orderId }) => orderId),
    paid.map(({ id }) => id),
  );
  assert.equal(received.length, paid.length);
  assert.ok(paid.length >= responses.filter((status) => status === 200).length);

  const entries = (statement.entries as Json[]).map(({ id }) => ({ id }));
  const rest = await h.call('POST', `${shop.base}${path}` as '/x', { token: shop.staff.token, body: { entries } });
  assert.equal(rest.status, 200);
  const sums = await h.pool<{ sum: number }[]>`
    select sum(paid)::int as sum from orders where business_id = ${shop.businessId}`;
  assert.equal(sums[0]!.sum, ORDERS * 1000);
});
