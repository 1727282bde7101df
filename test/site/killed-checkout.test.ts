import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { ADDRESS, openBrowser } from './browser.ts';
import { copyBrowser, openKills } from './kill-forms.ts';

const h = await startHarness({ LIMIT_NEW_CARTS: '100000' });
const shop = await openShop(h, {
  markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', countries: ['US'] }],
  shippingMethods: [{ id: 'post', name: 'Post', prices: [{ market: 'us', amount: 500 }] }],
  storefront: { enabled: true },
});
const base = `/s/${shop.businessId}`;
const mug = await shop.product({ quantity: 10_000 });
const killAtEach = openKills(h);

const place = (paymentMethod: string) =>
  killAtEach(async () => {
    const browser = openBrowser(h.url);
    await browser.post(`${base}/cart`, { action: 'add', productId: mug, variantId: 'main', quantity: '2' });
    const reloaded = copyBrowser(h.url, browser);
    for (const each of [browser, reloaded]) await each.open(`${base}/checkout`);
    const [orders, stock] = [(await shop.orders()).length, await shop.stock(mug)];
    const fields = { ...ADDRESS, paymentMethod };
    let shown = '';
    return {
      send: (at) => browser.send('place', fields, { at, follow: false }),
      async again() {
        shown = (await reloaded.send('place', fields, { follow: false })).url;
      },
      async check() {
        const placed = (await shop.orders()).slice(orders);
        assert.equal(placed.length, 1, JSON.stringify(placed));
        assert.equal(await shop.stock(mug), stock - 2);
        assert.match(shown, paymentMethod === 'CASH' ? /\/thanks(\?order=\w+)?$/ : /\/pay\//);
      },
    };
  });

for (const paymentMethod of ['CASH', 'CREDIT_CARD']) {
  const title = `a checkout form killed at any statement and submitted again leads to one order: ${paymentMethod}`;
  test(title, { timeout: 3_600_000 }, () => place(paymentMethod));
}
