import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { startShop } from './shop.ts';

const shop = await startShop();

test('a checkout whose response is lost because the service is killed creates one order after a restart', async () => {
  let tries = 0;
  const souk = createClient({
    baseUrl: shop.url,
    businessId: shop.businessId,
    guest: true,
    tries: 20,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (!url.endsWith('/checkout') || ++tries > 1) return response;
      // The order is committed; its response is lost with the process.
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
