import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { startShop } from './shop.ts';

const shop = await startShop();

test('the service is killed before its answer to a checkout arrives, and started again: there is one order', async () => {
  let tries = 0;
  const souk = createClient({
    baseUrl: shop.url,
    businessId: shop.businessId,
    guest: true,
    tries: 20,
    async fetch(url, init) {
      const answer = await fetch(url, init);
      if (!url.endsWith('/checkout') || ++tries > 1) return answer;
      // The order is written; its answer is lost with the process.
      await shop.stop('SIGKILL');
      void shop.restart();
      throw new TypeError('the connection was lost');
    },
  });
  const [product] = await souk.products.list({ slug: 'notebook' }).take(1);
  const { orderId } = await souk.orders.checkout({
    market: 'us',
    paymentMethod: 'CREDIT_CARD',
    shippingMethodId: 'standard',
    items: [{ productId: product!.id, variantId: 'dotted', quantity: 1 }],
  });
  assert.ok(tries > 1);
  const orders = await souk.orders.list().take(10);
  assert.deepEqual(
    orders.map(({ id }) => id),
    [orderId],
  );
});
