import assert from 'node:assert/strict';
import test from 'node:test';
import { GOOD_PASSWORD, mailedToken, registered } from '../accounts/people.ts';
import { shareHarness } from '../harness.ts';
import { openShop, press } from '../orders/shop.ts';
import { ADDRESS, openBrowser, type Shown } from './browser.ts';

const h = await shareHarness();
const legal = { terms: { en: 'Our terms', de: 'Unsere AGB' }, withdrawal: 'You can withdraw.' };
const shop = await openShop(h, {
  markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', countries: ['US'] }],
  shippingMethods: [{ id: 'post', name: 'Post', prices: [{ market: 'us', amount: 500 }] }],
  storefront: { enabled: true, locales: ['en', 'de'], legal },
  profile: { timeZone: 'Pacific/Kiritimati' },
});
const base = `/s/${shop.businessId}`;
const mug = await shop.product({ price: 1000, quantity: 1000 });

/** A browser with one mug in its cart. */
async function shopper(quantity = '1', prefix = '') {
  const browser = openBrowser(h.url);
  await browser.post(`${base}${prefix}/cart`, { action: 'add', productId: mug, variantId: 'main', quantity });
  return browser;
}

test('a visitor buys without JavaScript, and errors are shown on their fields', async () => {
  const browser = await shopper('2');
  assert.match(browser.current().text, /Mug added to cart/);
  assert.match(browser.current().text, /Total \$20\.00/);
  await browser.open(`${base}/checkout`);
  assert.match(browser.current().text, /Shipping \$5\.00 .*Total \$25\.00/);
  const refused = await browser.send('place', { ...ADDRESS, email: 'nobody', 'shippingAddress.zip': '12' });
  assert.equal(refused.status, 422);
  for (const text of [/Enter a valid email address/, /Enter a valid ZIP code, for example 95014/, /Accept the terms/])
    assert.match(refused.text, text);
  assert.match(refused.html, /value="1 Market Street"/);
  const paying = await browser.send('place', { ...ADDRESS, terms: 'yes' });
  assert.match(paying.url, /\/pay\//);
  const { location } = await press(paying.url, 'pay');
  const thanks = await browser.open(location!);
  assert.match(thanks.text, /Thank you! .*Processing .*ada@example\.com/);
  const orders = await browser.open(`${base}/account`);
  assert.match(orders.text, /Order #\d+ .*Processing \$25\.00/);
  const order = await browser.open(/href="([^"]*\/account\/orders\/[^"]*)"/.exec(orders.html)![1]!);
  const [, invoice] = /href="([^"]*\/documents\/[^"]*)">Invoice/.exec(order.html)!;
  assert.match((await browser.open(invoice!)).html, /^%PDF-/);
  assert.equal((await openBrowser(h.url).open(invoice!)).status, 404);
  assert.equal(browser.jar.has('souk_cart'), false);
});

test('the checkout names required order fields, because it does not ask for them, and ignores optional ones', async () => {
  const { token } = await h.member(shop.businessId, 'BUSINESS_WRITE');
  const setFields = async (orderBlocks: object[]) => {
    assert.equal((await h.call('PUT', shop.base, { token, body: { configs: { orderBlocks } } })).status, 200);
  };
  const browser = await shopper();
  await setFields([{ id: 'gift_message', type: 'TEXT', label: 'Gift message', required: true }]);
  const shown = await browser.open(`${base}/checkout`);
  assert.match(shown.text, /Gift message\. Contact the shop/);
  const refused = await browser.send('place', { ...ADDRESS, terms: 'yes', paymentMethod: 'CASH' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /requires information that you can't enter here: Gift message\. Contact the shop/);
  await setFields([{ id: 'gift_message', type: 'TEXT', label: 'Gift message' }]);
  const placed = await browser.send('place', { ...ADDRESS, terms: 'yes', paymentMethod: 'CASH' });
  assert.match(placed.text, /Thank you!/);
  await setFields([]);
});

test('an invalid email stays on the page with its error, and is never replaced with the account’s address', async () => {
  const { email } = await registered(h);
  const browser = await shopper();
  await browser.open(`${base}/login?next=checkout`);
  await browser.send('login', { email, password: GOOD_PASSWORD });
  await browser.open(`${base}/checkout`);
  assert.match(browser.current().html, new RegExp(`value="${email}"`));
  const updated = await browser.send('update', { ...ADDRESS, email: 'nobody' });
  assert.equal(updated.status, 422);
  assert.match(updated.text, /Enter a valid email address/);
  assert.match(updated.html, /name="email"[^>]*value="nobody"|value="nobody"[^>]*name="email"/);
  const refused = await browser.send('place', { terms: 'yes', paymentMethod: 'CASH' });
  assert.equal(refused.status, 422);
});

test('the order page shows times in the time zone of the business', async () => {
  const browser = await shopper();
  await browser.open(`${base}/checkout`);
  const thanks = await browser.send('place', { ...ADDRESS, terms: 'yes', paymentMethod: 'CASH' });
  const { createdAt } = await shop.order(new URL(thanks.url).searchParams.get('order')!);
  const there = { timeZone: 'Pacific/Kiritimati' } as const;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en', { ...there, ...options }).format(createdAt * 1000).replace(/\s+/g, ' ');
  const [day, short, time] = [
    format({ dateStyle: 'long' }),
    format({ dateStyle: 'medium' }),
    format({ timeStyle: 'short' }),
  ];
  assert.ok(thanks.text.includes(`, ${day} `), day);
  assert.ok(thanks.text.includes(`Order placed ${short}, ${time} GMT+14`), thanks.text);
});

test('checking out the same cart twice, even concurrently, creates one order', async () => {
  const browser = await shopper();
  await browser.open(`${base}/checkout`);
  const before = (await shop.orders()).length;
  const send = () => browser.send('place', { ...ADDRESS, terms: 'yes' }, { follow: false });
  const placed = await Promise.all([send(), send(), send()]);
  await browser.open(`${base}/checkout`);
  placed.push(await send());
  assert.equal(new Set(placed.map(({ url }) => url)).size, 1, JSON.stringify(placed.map(({ url }) => url)));
  assert.equal((await shop.orders()).length, before + 1);
  await press(placed[0]!.url, 'cancel');
  await browser.open(`${base}/checkout?canceled=1`);
  assert.match(browser.current().text, /Your payment was canceled/);
  assert.match(browser.current().html, /value="1 Market Street"/);
  const again = await browser.send('place', { terms: 'yes' }, { follow: false });
  assert.notEqual(again.url, placed[0]!.url);
  assert.equal((await shop.orders()).length, before + 2);
});

test('a form that is submitted again because its response was lost leads to the order that it placed', async () => {
  for (const paymentMethod of ['CASH', 'CREDIT_CARD']) {
    const [browser, again] = [await shopper(), openBrowser(h.url)];
    for (const [name, value] of browser.jar) again.jar.set(name, value);
    await browser.open(`${base}/checkout`);
    await again.open(`${base}/checkout`);
    const before = (await shop.orders()).length;
    const placed = await browser.send('place', { ...ADDRESS, terms: 'yes', paymentMethod });
    const repeated = await again.send('place', { ...ADDRESS, terms: 'yes', paymentMethod });
    assert.equal(repeated.url, placed.url);
    assert.equal((await shop.orders()).length, before + 1);
    if (paymentMethod === 'CASH') assert.match(repeated.text, /Thank you!/);
  }
});

test('an order awaiting payment can still be paid after the language changes, without creating a second order', async () => {
  const browser = await shopper();
  await browser.open(`${base}/de/checkout`);
  const before = (await shop.orders()).length;
  const placed = await browser.send('place', { ...ADDRESS, terms: 'yes' }, { follow: false });
  assert.match(placed.url, /\/pay\//);
  await browser.open(`${base}/checkout`);
  const again = await browser.send('place', { terms: 'yes' }, { follow: false });
  assert.equal(again.url, placed.url);
  const orders = (await shop.orders()).slice(before);
  assert.equal(orders.length, 1);
  assert.equal((await shop.order(orders[0]!.id)).locale, 'de');
});

test('a login merges the browser’s cart into the account’s cart', async () => {
  const { email } = await registered(h);
  const logIn = async (browser: Awaited<ReturnType<typeof shopper>>) => {
    await browser.open(`${base}/login?next=checkout`);
    const wrong = await browser.send('login', { email, password: 'wrong' });
    assert.deepEqual([wrong.status, /The email or password is incorrect/.test(wrong.text)], [422, true]);
    return browser.send('login', { email, password: GOOD_PASSWORD });
  };
  const phone = await shopper('2');
  assert.match((await logIn(phone)).url, /\/checkout$/);
  const laptop = await shopper('3');
  await logIn(laptop);
  assert.match((await laptop.open(`${base}/cart`)).html, /name="quantity"[^>]*value="5"/);
  assert.match((await phone.open(`${base}/cart`)).html, /name="quantity"[^>]*value="5"/);
  await laptop.open(`${base}/checkout`);
  await laptop.send('place', { ...ADDRESS, terms: 'yes', paymentMethod: 'CASH' });
  assert.match(laptop.current().text, /Thank you!/);
  assert.match((await phone.open(`${base}/account`)).text, /My orders .*Order #\d+/);
  await phone.send('logout');
  assert.match((await phone.open(`${base}/account`)).url, /\/login$/);
});

test('a member who logs in to the shop sees only their own orders', async () => {
  const guest = await shopper();
  await guest.open(`${base}/checkout`);
  await guest.send('place', { ...ADDRESS, terms: 'yes', paymentMethod: 'CASH' });
  assert.match((await guest.open(`${base}/account`)).text, /Order #\d+/);
  const { email } = await h.member(shop.businessId, 'ORDER_READ');
  await h.call('POST', '/v1/users/forgot-password', { body: { email } });
  const token = await mailedToken(h, email!);
  await h.call('POST', '/v1/users/reset-forgot-password', { body: { token, password: GOOD_PASSWORD } });
  const member = openBrowser(h.url);
  await member.open(`${base}/login`);
  await member.send('login', { email: email!, password: GOOD_PASSWORD });
  const { text } = await member.open(`${base}/account`);
  assert.match(text, /My orders .*Log out/);
  assert.doesNotMatch(text, /Order #/);
});

test('two tabs add to one cart, and neither loses an item', async () => {
  const browser = await shopper();
  const add = () => browser.post(`${base}/cart`, { action: 'add', productId: mug, variantId: 'main', quantity: '1' });
  await Promise.all([add(), add(), add()]);
  assert.match((await browser.open(`${base}/cart`)).html, /name="quantity"[^>]*value="4"/);
});

test('the cart page names only an added product that is in the cart', async () => {
  const browser = await shopper();
  assert.match(browser.current().text, /Mug added to cart/);
  for (const name of ['Your card was declined. Nothing', 'mug', ''])
    assert.doesNotMatch((await browser.open(`${base}/cart?added=${name}`)).text, /added to cart/, name);
});

test('a quantity that is not a whole number keeps the line as it is and shows an error', async () => {
  const browser = await shopper('2');
  for (const quantity of ['0.5', '2.5', '-1', 'many', '']) {
    const refused = await browser.send('quantity', { quantity });
    assert.match(refused.text, /Enter a whole number/, quantity);
    assert.match(refused.html, /name="quantity"[^>]*value="2"/, quantity);
  }
  const added = { action: 'add', productId: mug, variantId: 'main', quantity: '1.5' };
  await browser.post(`${base}/cart`, added);
  assert.match(browser.current().html, /name="quantity"[^>]*value="2"/);
  assert.match((await browser.send('quantity', { quantity: '0' })).text, /Your cart is empty/);
});

test('forms require the site’s origin and the visitor’s CSRF token', async () => {
  const browser = await shopper('2');
  const other = await shopper();
  const add = { action: 'add', productId: mug, variantId: 'main', quantity: '9' };
  assert.equal((await browser.post(`${base}/cart`, add, { origin: 'https://evil.example' })).status, 403);
  assert.equal((await browser.post(`${base}/cart`, add, { origin: 'null' })).status, 403);
  const csrf = /name="csrf" value="([^"]+)"/.exec((await other.open(`${base}/cart`)).html)![1]!;
  for (const wrong of [null, '', csrf]) {
    await browser.open(`${base}/cart`);
    assert.equal((await browser.send('remove', { csrf: wrong })).status, 403, String(wrong));
  }
  await browser.open(`${base}/cart`);
  assert.match(browser.current().html, /name="quantity"[^>]*value="2"/);
});

test('a form with an expired CSRF token says so in the language of the site', async () => {
  for (const [prefix, text] of [
    ['', /This form has expired/],
    ['/de', /Dieses Formular ist abgelaufen/],
  ] as const) {
    const browser = await shopper('1', prefix);
    const expired = await browser.send('remove', { csrf: null });
    assert.deepEqual([expired.status, text.test(expired.text)], [403, true]);
  }
});

test('the session is an encrypted cookie that only this site gets, and cached pages set no cookie', async () => {
  const browser = openBrowser(h.url);
  const home = await browser.open(`${base}/`);
  assert.deepEqual(home.setCookies, []);
  const body = { action: 'add', productId: mug, variantId: 'main', quantity: '1' };
  const { setCookies } = await browser.post(`${base}/cart`, body, { follow: false });
  const session = setCookies.find((cookie) => cookie.startsWith('souk_session='))!;
  assert.match(session, new RegExp(`; Path=${base}; Max-Age=\\d+; SameSite=Lax; HttpOnly`));
  assert.doesNotMatch(session, /cart_|usr_/);
  const theirs = await h.business({ storefront: { enabled: true } });
  browser.jar.set('souk_session', /=([^;]+)/.exec(session)![1]!);
  assert.match((await browser.open(`/s/${theirs}/cart`)).text, /Your cart is empty/);
});

test('in German, the button says that the order costs money', async () => {
  const browser = await shopper('1', '/de');
  await browser.open(`${base}/de/checkout`);
  assert.match(browser.current().text, /Zahlungspflichtig bestellen/);
  const refused = await browser.send('place', { ...ADDRESS, 'shippingAddress.name': '' });
  assert.match(refused.text, /Name fehlt\..*Stimme den AGB zu/);
});

test('the checkout says that cards are not charged only while the sandbox takes the payment', async () => {
  const card = async (businessId: string, productId: string) => {
    const browser = openBrowser(h.url);
    await browser.post(`/s/${businessId}/cart`, { action: 'add', productId, variantId: 'main', quantity: '1' });
    await browser.open(`/s/${businessId}/checkout`);
    return /Card You'll pay on the next page\.( This is a sandbox, so you won't be charged\.)?/.exec(
      browser.current().text,
    );
  };
  assert.ok((await card(shop.businessId, mug))?.[1]);
  const stripe = await openShop(h, {
    markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', countries: ['US'] }],
    paymentProvider: { type: 'STRIPE', publicKey: 'pk_1', secretKey: 'sk_test_1', webhookSecret: 'whsec_1' },
    storefront: { enabled: true },
  });
  assert.equal((await card(stripe.businessId, await stripe.product()))?.[0], "Card You'll pay on the next page.");
});

test('in German, the default tax name is translated and its rate has a decimal comma', async () => {
  const { businessId, product } = await openShop(h, {
    markets: [{ id: 'us', currency: 'usd', taxMode: 'INCLUSIVE', countries: ['FR'] }],
    taxClasses: [{ id: 'standard', name: 'Standard' }],
    taxRates: [{ id: 'fr', name: 'VAT', country: 'FR', classId: 'standard', bps: 550 }],
    tax: { origin: 'FR' },
    storefront: { enabled: true, locales: ['de', 'en'] },
  });
  const browser = openBrowser(h.url);
  const line = { action: 'add', productId: await product({ price: 1055 }), variantId: 'main', quantity: '1' };
  await browser.post(`/s/${businessId}/cart`, line);
  await browser.open(`/s/${businessId}/checkout`);
  assert.match(browser.current().text, /Enthält 0,55\s\$ MwSt\. 5,5\s%/);
});

test('a customer sees the newsletters, addresses and sessions of their account', async () => {
  const { email } = await registered(h);
  const { token } = await h.member(shop.businessId, 'CONTENT_WRITE', 'SUBSCRIBER_WRITE');
  const statuses = [{ status: 'PUBLISHED' }];
  const letters = { name: 'Letters', statuses, type: 'NEWSLETTER', plans: [{ id: 'free', name: 'Free' }] };
  const { body: collection } = await h.call('POST', `${shop.base}/collections`, { token, body: letters });
  const consent = { source: 'paper', at: h.clock.seconds() };
  const body = { email, planId: 'free', consent };
  await h.call('POST', `${shop.base}/collections/${collection.id}/subscribers`, { token, body });
  const browser = openBrowser(h.url);
  await browser.open(`${base}/login`);
  await browser.send('login', { email, password: GOOD_PASSWORD });
  const newsletters = await browser.open(`${base}/account/newsletters`);
  assert.match(newsletters.text, /Letters Free Active Unsubscribe/);
  const feedOf = ({ html }: Shown) => /value="([^"]*feed\.xml[^"]*)"/.exec(html)![1]!;
  const before = feedOf(newsletters);
  assert.equal((await fetch(before)).status, 200);
  const replaced = await browser.send('replaceFeed');
  assert.deepEqual([(await fetch(before)).status, (await fetch(feedOf(replaced))).status], [404, 200]);
  await browser.open(`${base}/account/addresses`);
  const refused = await browser.send('add', { ...ADDRESS, 'shippingAddress.city': '' });
  assert.deepEqual([refused.status, /City is required/.test(refused.text)], [422, true]);
  assert.match((await browser.send('add', ADDRESS)).text, /Ada Lovelace 1 Market Street/);
  assert.match((await browser.open(`${base}/account/security`)).text, /This browser/);
  await browser.open(`${base}/account/data`);
  assert.match((await browser.send('export')).text, /Download the file/);
});

test('the checkout starts with the country of the business if the market lists none', async () => {
  const german = await openShop(h, {
    markets: [{ id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE' }],
    profile: { address: { street: 'Torstraße 1', city: 'Berlin', zip: '10119', country: 'DE' } },
    storefront: { enabled: true },
  });
  const productId = await german.product({ market: 'eu', currency: 'eur' });
  const browser = openBrowser(h.url);
  await browser.post(`/s/${german.businessId}/cart`, { action: 'add', productId, variantId: 'main', quantity: '1' });
  const { html } = await browser.open(`/s/${german.businessId}/checkout`);
  assert.match(html, /<option[^>]*(selected[^>]*value="DE"|value="DE"[^>]*selected)/);
});
