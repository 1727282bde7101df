import assert from 'node:assert/strict';
import test from 'node:test';
import { divideConnections } from '../../src/db/connections.ts';
import { startHarness } from '../harness.ts';
import { openShop, press, tally } from './shop.ts';

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** All harnesses start before the first test, because a harness that starts later would be stopped with the first. */
const shops = await Promise.all(
  ['1', '5'].map(async (total) => {
    const h = await startHarness({ DATABASE_POOL: total });
    const connections = divideConnections(Number(total)).pool;
    const shop = await openShop(h);
    return { connections, h, shop, product: await shop.product({ quantity: 1000 }) };
  }),
);

for (const { connections, h, shop, product } of shops) {
  const blocks = [{ id: 'goes-with', type: 'RELATIONSHIP', settings: { targetType: 'PRODUCT' }, value: product }];
  const lines = [{ productId: product, variantId: 'main', quantity: 1 }];
  const send = <M extends string, P extends string>(method: M, path: P, body: object) =>
    h.call(method, `${shop.base}${path}`, { token: shop.staff.token, body });
  const manual = () =>
    send('POST', '/orders', { customerId: shop.customer.userId, market: 'us', currency: 'usd', lines, blocks });

  test(`with a pool of ${connections}, 40 concurrent manual orders that reference a product all succeed`, {
    timeout: 20_000,
  }, async () => {
    assert.deepEqual(tally(await Promise.all(times(40, manual))), { 200: 40 });
  });

  test(`with a pool of ${connections}, concurrent checkouts, payments, refunds and updates all succeed`, {
    timeout: 30_000,
  }, async () => {
    await shop.promo('POOL', [{ type: 'ITEMS_FIXED', amount: 1 }]);
    const placed = await Promise.all(
      times(20, (i) => shop.checkout(product, { blocks, promoCode: 'POOL', key: `k${i}` })),
    );
    assert.deepEqual(tally(placed), { 200: 20 });
    const ids = placed.map(({ body }) => body.orderId);
    const paid = await Promise.all(placed.slice(0, 10).map(({ body }) => press(body.checkoutUrl!, 'pay')));
    assert.ok(paid.every(({ status }) => status === 200));
    const responses = await Promise.all([
      ...ids.slice(0, 5).map((id) => shop.refund(id, {}, { 'idempotency-key': id })),
      ...ids.slice(5, 10).map((id) => shop.setStatus(id, 'CANCELLED')),
      ...ids
        .slice(10)
        .map((id) => send('PUT', '/orders/update', { id, blocks, lines: [{ ...lines[0], quantity: 2 }] })),
      ...times(10, () => shop.quote(product, { promoCode: 'POOL' })),
    ]);
    assert.deepEqual(tally(responses), { 200: 30 });
  });
}
