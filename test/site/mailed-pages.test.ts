import assert from 'node:assert/strict';
import test from 'node:test';
import { openCarts } from '../carts/cart-shop.ts';
import { type Json, shareHarness } from '../harness.ts';
import { makeNewsletter, ok } from '../newsletters/fixture.ts';
import { visit } from './visit.ts';

const h = await shareHarness();

/** A shop that is open on this host. */
async function openShop(host: string, more: object = {}) {
  const storefront = { enabled: true, hosts: [host] };
  const shop = await openCarts(h, { cartReminder: { enabled: true, delayHours: 2 }, ...more });
  const { token } = await h.member(shop.businessId, 'ADMIN');
  const change = (configs: object) => h.call('PUT', shop.base, { token, body: { configs } });
  assert.equal((await change({ storefront })).status, 200);
  await h.service.businesses.hosts.start(h.pool);
  return { ...shop, change, host };
}

const shop = await openShop('mailed.example');
const EMAIL = 'ada@example.com';

async function mailsTo(email: string) {
  await h.drain();
  return (await h.mailbox()).filter(({ to }) => to === email) as Json[];
}

const linksIn = (mails: Json[], path: string): URL[] =>
  mails
    .flatMap(({ text }) => [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url)))
    .filter(({ pathname }) => pathname.startsWith(path));

async function order(email: string, at = shop) {
  const product = await at.product({ name: 'Blue mug' });
  const { body } = await at.checkout(product, { token: (await h.guest()).token, email, paymentMethod: 'CASH' });
  return body.orderId as string;
}

test('the order page links to the storefront in the language of the order, if the storefront is open', async () => {
  const open = await openShop('linked.example');
  await open.change({ storefront: { enabled: true, hosts: [open.host], locales: ['en', 'de'] } });
  const product = await open.product({ name: 'Blue mug' });
  const token = (await h.guest()).token;
  const choices = { token, email: 'link@example.com', locale: 'de-DE', paymentMethod: 'CASH' };
  await open.checkout(product, choices);
  const [link] = linksIn(await mailsTo('link@example.com'), '/order/');
  const hrefOf = async (path: string) => /class="brand" href="([^"]*)"/.exec((await visit(h.url, path)).body)?.[1];
  for (const path of [link!.pathname, `${link!.pathname}/return`])
    assert.equal(await hrefOf(path), `http://${open.host}/de`);
  await open.change({ storefront: { enabled: false, hosts: [open.host] } });
  assert.equal(await hrefOf(link!.pathname), undefined);
});

test('every email about an order links to the storefront, where its page and forms work', async () => {
  const id = await order(EMAIL);
  for (const status of ['PROCESSING', 'SHIPPED', 'DELIVERED']) await shop.setStatus(id, status);
  const { body: placed } = await h.call('GET', `${shop.base}/orders/${id}`, { token: shop.staff.token });
  const orderReturn = { type: 'RETURN', lines: [{ lineId: (placed as Json).lines[0].id, quantity: 1 }] };
  const { status } = await h.call('POST', `${shop.base}/orders/${id}/returns`, {
    token: shop.staff.token,
    body: orderReturn,
  });
  assert.equal(status, 200);
  const mails = await mailsTo(EMAIL);
  assert.ok(mails.length >= 3, mails.map(({ subject }) => subject).join());
  for (const mail of mails) {
    const hosts = new Set(linksIn([mail], '/order/').map(({ host }) => host));
    assert.deepEqual([...hosts], [shop.host], mail.subject);
  }
  const [link] = linksIn(mails, '/order/');
  const { host } = shop;
  const page = await visit(h.url, link!.pathname, { host });
  assert.deepEqual([page.status, page.body.includes('Blue mug')], [200, true]);
  assert.equal((await visit(h.url, `${link!.pathname}/return`, { host })).status, 200);
  const other = await openShop('other.example');
  const elsewhere = await visit(h.url, link!.pathname, { host: other.host });
  assert.deepEqual(
    [elsewhere.status, elsewhere.body.includes('Blue mug')],
    [404, false],
    'on the host of another shop',
  );
  assert.equal((await visit(h.url, link!.pathname)).status, 200, 'links of older emails');
});

test('emails about a cart and a product link to the storefront', async () => {
  const reader = 'reader@example.com';
  const mug = await shop.product({ quantity: 0 });
  const guest = await h.guest();
  const alert = { email: reader, variantId: 'main' };
  await h.call('POST', `${shop.base}/products/${mug}/stock-alerts`, { token: guest.token, body: alert });
  await h.call('POST', `${shop.base}/products/${mug}/variants/main/inventory`, {
    token: shop.staff.token,
    body: { adjust: 5 },
  });
  const inStock = await mailsTo(reader);
  assert.deepEqual(
    linksIn(inStock, '/products/').map(({ host }) => host),
    [shop.host],
  );
  await shop.create(guest, mug, 1, { email: reader, reminder: true });
  h.clock.advance(3 * 3600);
  await h.drain('cart-reminders');
  const mails = await mailsTo(reader);
  assert.deepEqual(
    linksIn(mails, '/cart')
      .map(({ host }) => host)
      .sort(),
    [new URL(h.url).host, shop.host].sort(),
  );
});

test('the web version of an issue is on the storefront, and the unsubscribe link stays on the service', async () => {
  const host = 'letters.example';
  const newsletter = await makeNewsletter(h);
  const { base, collectionId, token } = newsletter;
  const admin = await h.member(newsletter.businessId, 'ADMIN');
  const configs = { storefront: { enabled: true, hosts: [host] } };
  await ok(h.call('PUT', base, { token: admin.token, body: { configs } }));
  await h.service.businesses.hosts.start(h.pool);
  const email = 'subscriber@example.com';
  const input = { email, planId: 'free', consent: { source: 'Test', at: 1 } };
  await ok(h.call('POST', `${base}/collections/${collectionId}/subscribers`, { token, body: input }));
  const entryId = await newsletter.entry('Letter one', {});
  await ok(h.call('POST', `${base}/entries/${entryId}/send`, { token: admin.token, body: {} }));
  const mails = await mailsTo(email);
  const [view] = linksIn(mails, '/newsletter/');
  assert.equal(view!.host, host);
  assert.equal(linksIn(mails, '/unsubscribe/')[0]!.host, new URL(h.url).host);
  const shown = await visit(h.url, view!.pathname, { host });
  assert.deepEqual([shown.status, shown.body.includes('Letter one')], [200, true]);
  assert.equal((await visit(h.url, view!.pathname, { host: shop.host })).status, 404, 'on the host of another shop');
});

test('without an open storefront, emails link to the service and never to a missing page', async () => {
  const closed = await openShop('closed.example');
  await closed.change({ storefront: { enabled: false, hosts: [closed.host] } });
  await order('closed@example.com', closed);
  const mug = await closed.product({ quantity: 0 });
  await h.call('POST', `${closed.base}/products/${mug}/stock-alerts`, {
    token: (await h.guest()).token,
    body: { email: 'closed@example.com', variantId: 'main' },
  });
  await h.call('POST', `${closed.base}/products/${mug}/variants/main/inventory`, {
    token: closed.staff.token,
    body: { adjust: 5 },
  });
  await closed.create(await h.guest(), mug, 1, { email: 'cart@example.com', reminder: true });
  h.clock.advance(3 * 3600);
  await h.drain('cart-reminders');
  assert.deepEqual(await mailsTo('cart@example.com'), [], 'the cart has no page');
  const mails = await mailsTo('closed@example.com');
  assert.equal(mails.length, 2);
  assert.deepEqual([...new Set(linksIn(mails, '/').map(({ host }) => host))], [new URL(h.url).host]);
  assert.deepEqual(linksIn(mails, '/s/'), []);
});
