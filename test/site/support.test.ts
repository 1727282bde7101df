import assert from 'node:assert/strict';
import test from 'node:test';
import { createBundles } from '../../src/bundles/index.ts';
import { createModuleLoader } from '../../src/site/load-module.ts';
import { shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { openBrowser } from './browser.ts';

const h = await shareHarness();
const shop = await openShop(h, {
  markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', countries: ['US'] }],
  storefront: { enabled: true },
});
const admin = await h.member(shop.businessId, 'ADMIN');
const base = `/s/${shop.businessId}`;
const api = `/v1/businesses/${shop.businessId}` as const;
const mug = await shop.product({ price: 1000, quantity: 1000 });

const { pages } = await createModuleLoader(createBundles(h.config))();

async function customer() {
  const user = await h.user();
  const { body } = await h.call('POST', `${api}/customers`, { token: admin.token, body: { email: user.email! } });
  await h.pool`update customers set user_id = ${user.userId} where business_id = ${shop.businessId} and id = ${body.id}`;
  return { ...user, id: body.id };
}
const begin = async (id: string) =>
  (await h.call('POST', `${api}/customers/${id}/support-session`, { token: admin.token })).body;

const csrfOf = (html: string) => /name="csrf" value="([^"]+)"|"csrf":"([^"]+)"/.exec(html)!.slice(1).find(Boolean)!;

/** Opens support access in a browser, as the page does with the token in its fragment. */
async function enter(browser: ReturnType<typeof openBrowser>, token: string) {
  const { html } = await browser.open(`${base}/login/support`);
  return browser.post(`${base}/login/support`, { action: 'begin', token, csrf: csrfOf(html) });
}

test('an ADMIN sees the orders of the customer with a notice on every page, until one click ends it', async () => {
  const { id, email } = await customer();
  const session = await begin(id);
  const browser = openBrowser(h.url);
  await browser.post(`${base}/cart`, { action: 'add', productId: mug, variantId: 'main', quantity: '1' });
  const orders = await enter(browser, session.accessToken);
  assert.deepEqual([orders.status, orders.url], [200, `${h.url}${base}/account`]);
  assert.match(orders.text, /viewing the storefront as Ada until/);
  for (const path of ['/cart', '/checkout', '/account/newsletters']) {
    assert.match((await browser.open(base + path)).text, /viewing the storefront as/, path);
  }
  assert.match((await browser.open(`${base}/cart`)).text, /Your cart is empty/);
  // On pages that are the same for everyone, a script shows the notice from this cookie.
  assert.match(browser.jar.get('souk_support') ?? '', /^\d+\.Ada$/);
  assert.match((await browser.open(`${base}/account/security`)).text, /Not available during a support session/);
  assert.ok(email && !browser.current().text.includes(email));

  const ended = await browser.send('end');
  assert.doesNotMatch(ended.text, /viewing the storefront as/);
  assert.equal(browser.jar.has('souk_support'), false);
  assert.equal((await h.call('GET', `${api}/orders`, { token: session.accessToken })).status, 401);
  // The cart of the ADMIN is still there.
  assert.match((await browser.open(`${base}/cart`)).text, /Mug/);
});

test('no form of the storefront changes anything during support access', async () => {
  const { id } = await customer();
  const browser = openBrowser(h.url);
  await enter(browser, (await begin(id)).accessToken);
  const { html } = await browser.open(`${base}/account`);
  const forms = pages.flatMap(({ path, actions = {} }) =>
    Object.keys(actions).map((action) => [path, action] as const),
  );
  assert.ok(forms.length > 25, String(forms.length));
  const before = await h.pool`select count(*) from account_events`;
  for (const [path, action] of forms.filter(([path]) => path !== '/login/support')) {
    const target = base + path.replace('/products/:slug', '/products/mug').replaceAll(/:\w+/g, 'none');
    const fields = { action, csrf: csrfOf(html), email: 'ada@example.com', password: 'correct-horse-7', id: 'none' };
    const { status } = await browser.post(target, { ...fields, productId: mug, variantId: 'main', quantity: '1' });
    assert.equal(status, 403, `${path} ${action}`);
  }
  assert.deepEqual(await h.pool`select count(*) from account_events`, before);
  assert.match((await browser.open(`${base}/account`)).text, /viewing the storefront as/);
});

test('support access ends in the storefront when it ends elsewhere, and after 30 minutes', async () => {
  const { id } = await customer();
  const [first, second] = [await begin(id), await begin(id)];
  const browser = openBrowser(h.url);
  await enter(browser, first.accessToken);
  await h.call('DELETE', `${api}/support-sessions/${first.id}`, { token: admin.token });
  await browser.open(`${base}/account`);
  assert.equal(browser.jar.has('souk_support'), false);
  await enter(browser, second.accessToken);
  h.clock.advance(1801);
  assert.match((await browser.open(`${base}/account`)).url, /\/login$/);
});

test('only a support session of this business opens support access', async () => {
  const someone = await h.user();
  const { id } = await customer();
  const { accessToken } = await begin(id);
  const [head, body, signature] = accessToken.split('.');
  const claims = JSON.parse(Buffer.from(body!, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: someone.userId })).toString('base64url');
  const other = await openShop(h, { storefront: { enabled: true } });
  const tokens = [someone.token, admin.token, `${head}.${forged}.${signature}`, 'nothing', ''];
  for (const token of tokens) {
    const browser = openBrowser(h.url);
    const refused = await enter(browser, token);
    assert.deepEqual([refused.status, browser.jar.has('souk_support')], [422, false], token);
  }
  const elsewhere = openBrowser(h.url);
  const path = `/s/${other.businessId}/login/support`;
  const { html } = await elsewhere.open(path);
  assert.equal((await elsewhere.post(path, { action: 'begin', token: accessToken, csrf: csrfOf(html) })).status, 422);
});
