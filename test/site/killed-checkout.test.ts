import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { openBrowser } from './browser.ts';
import { openKills } from './kill-forms.ts';

const h = await startHarness({ LIMIT_NEW_CARTS: '100000' });
const shop = await openShop(h, {
  markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', countries: ['US'] }],
  shippingMethods: [{ id: 'post', name: 'Post', prices: [{ market: 'us', amount: 500 }] }],
  storefront: { enabled: true },
});
const base = `/s/${shop.businessId}`;
const mug = await shop.product({ quantity: 10_000 });
const killAtEach = openKills(h);

const ADDRESS = {
  email: 'ada@example.com',
  'shippingAddress.name': 'Ada Lovelace',
  'shippingAddress.street': '1 Market Street',
  'shippingAddress.city': 'San Francisco',
  'shippingAddress.state': 'CA',
  'shippingAddress.zip': '94105',
};

for (const paymentMethod of ['CASH', 'CREDIT_CARD']) {
  test(
    `a checkout form killed at any statement and submitted again leads to one order: ${paymentMethod}`,
    {
      timeout: 3_600_000,
    },
    () =>
      killAtEach(async () => {
        const browser = openBrowser(h.url);
        await browser.post(`${base}/cart`, { action: 'add', productId: mug, variantId: 'main', quantity: '2' });
        await browser.open(`${base}/checkout`);
        const [orders, stock] = [(await shop.orders()).length, await shop.stock(mug)];
        let shown = '';
        return {
          async send(at?: string) {
            shown = (await browser.send('place', { ...ADDRESS, paymentMethod }, { at, follow: false })).url;
          },
          async check() {
            const placed = (await shop.orders()).slice(orders);
            assert.equal(placed.length, 1, JSON.stringify(placed));
            assert.equal(await shop.stock(mug), stock - 2);
            // After an order without payment, the form leads to the order of the cart.
            assert.match(shown, paymentMethod === 'CASH' ? /\/thanks(\?order=ord_\w+)?$/ : /\/pay\//);
          },
        };
      }),
  );
}
