import assert from 'node:assert/strict';
import test from 'node:test';
import { GOOD_PASSWORD, registered } from '../accounts/people.ts';
import { startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { openBrowser } from './browser.ts';
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

/** A browser without JavaScript, with mugs in its cart. */
async function shopper(quantity: number) {
  const browser = openBrowser(h.url);
  const item = { action: 'add', productId: mug, variantId: 'main', quantity: String(quantity) };
  await browser.post(`${base}/cart`, item);
  return browser;
}

test('a login that is killed at any statement and then retried merges the carts once', { timeout: 1_200_000 }, () =>
  killAtEach(async () => {
    const { email } = await registered(h);
    const fields = { email, password: GOOD_PASSWORD };
    const logIn = async (quantity: number) => {
      const browser = await shopper(quantity);
      const reloaded = copyBrowser(h.url, browser);
      for (const each of [browser, reloaded]) await each.open(`${base}/login`);
      return {
        reloaded,
        send: (at: string) => browser.send('login', fields, { at, follow: false }),
        again: () => reloaded.send('login', fields, { follow: false }),
      };
    };
    await (await logIn(2)).again();
    const { reloaded, ...sent } = await logIn(3);
    return {
      ...sent,
      async check() {
        assert.match((await reloaded.open(`${base}/cart`)).html, /name="quantity"[^>]*value="5"/);
        const [{ carts }] = (await h.pool`
          select count(*)::int as carts from carts c join users u on u.id = c.owner_id where u.email = ${email}`) as [
          { carts: number },
        ];
        assert.equal(carts, 1);
      },
    };
  }),
);
