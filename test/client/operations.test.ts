import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient, isSoukError, List, memoryStorage } from '../../client/src/index.ts';
import { type Json, shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await shareHarness();

type Method = (...args: string[]) => unknown;

test('every operation of the document has exactly one method that calls it', async () => {
  const { body: document } = await h.call('GET', '/openapi.json');
  const operations = Object.entries(document.paths as Record<string, Json>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  );
  const called: string[] = [];
  const { session, businessId, forBusiness, ...groups } = createClient({
    baseUrl: '',
    businessId: '{}',
    apiKey: 'key',
    fetch: async (url, init) => {
      called.push(`${init.method} ${decodeURIComponent(url.split('?')[0]!)}`);
      return Response.json({ items: [], cursor: null });
    },
  });
  for (const group of Object.values(groups)) {
    for (const method of Object.values(group as Record<string, Method>)) {
      const result = method('{}', '{}', '{}', '{}');
      await (result instanceof List ? result.page() : result);
    }
  }
  assert.deepEqual(called.sort(), operations.sort());
});

test("with the caller's own key, repeating an order creates one order, and a different order is rejected", async () => {
  const shop = await openShop(h);
  const productId = await shop.product({ quantity: 5 });
  const souk = createClient({
    baseUrl: h.url,
    businessId: shop.businessId,
    storage: memoryStorage({ tokens: { accessToken: shop.customer.token, refreshToken: shop.customer.refreshToken } }),
  });
  const checkout = (quantity: number) =>
    souk.orders.checkout(
      { market: 'us', paymentMethod: 'CASH', items: [{ productId, variantId: 'main', quantity }] },
      { idempotencyKey: 'basket-1' },
    );
  const [first, again] = [await checkout(1), await checkout(1)];
  assert.equal(again.orderId, first.orderId);
  await assert.rejects(checkout(2), (error) => isSoukError(error, 'IDEMPOTENCY_MISMATCH') && error.status === 422);
  assert.equal((await souk.orders.list().page()).items.length, 1);
});
