import assert from 'node:assert/strict';
import test from 'node:test';
import { type Harness, type Json, shareHarness } from '../harness.ts';
import { photo } from '../media/files.ts';
import { openShop, problems } from '../orders/shop.ts';
import { openBrowser } from '../site/browser.ts';

type Method = Parameters<Harness['call']>[0];

const h = await shareHarness();
const configs = {
  markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE' }],
  shippingMethods: [{ id: 'post', name: 'Post', prices: [{ market: 'us', amount: 500 }] }],
  storefront: { enabled: true },
};

/** A shop with one of each record that others refer to. */
async function open(name: string) {
  const shop = await openShop(h, configs);
  const { businessId, base } = shop;
  const admin = await h.member(businessId, 'ADMIN');
  const guest = await h.guest();
  const as =
    (token: string) =>
    (method: Method, path: string, body?: Json, headers: Record<string, string> = {}) =>
      h.call(method, `${base}${path}` as `/${string}`, { token, headers, ...(body && { body }) });
  const make = async (path: string, body: Json) => (await as(admin.token)('POST', path, body)).body;
  const form = new FormData();
  form.append('files', new Blob([new Uint8Array(await photo(40, 40))]), 'secret.jpg');
  const headers = { authorization: `Bearer ${admin.token}` };
  const uploaded = await fetch(`${h.url}${base}/upload`, { method: 'POST', headers, body: form });
  const { items } = (await uploaded.json()) as { items: { id: string }[] };
  const productId = await shop.product({ name: `${name} shirt` });
  const blocks = [
    { id: 'title', type: 'TEXT' },
    { id: 'cover', type: 'MEDIA' },
    { id: 'to', type: 'RELATIONSHIP' },
  ];
  const blog = await make('/collections', { name: `${name} blog`, blocks });
  const title = { id: 'title', type: 'TEXT', value: `${name} post` };
  return {
    ...shop,
    as,
    guest,
    call: as(admin.token),
    productId,
    mediaId: items[0]!.id,
    categoryId: (await make('/categories', { name: `${name} category` })).id,
    collectionId: blog.id,
    entryId: (await make('/entries', { collectionId: blog.id, blocks: [title] })).id,
    cart: (await as(guest.token)('POST', '/carts', { market: 'us', items: [itemOf(productId)] })).body,
    quoteId: (await shop.quote(productId)).body.id,
    orderId: (await shop.checkout(productId, { shippingMethodId: 'post' })).body.orderId,
  };
}

const itemOf = (productId: string) => ({ productId, variantId: 'main', quantity: 1 });
const mine = await open('Mine');
const theirs = await open('Theirs');

test("staff can't refer to another business's records in a body, nor see them in a preview", async () => {
  const product = `/products/${mine.productId}`;
  const entry = `/entries/${mine.entryId}`;
  const related = [{ id: 'to', type: 'RELATIONSHIP', value: theirs.entryId }];
  const cover = [{ id: 'cover', type: 'MEDIA', value: { id: theirs.mediaId } }];
  for (const [method, path, body, field] of [
    ['POST', '/categories', { name: 'x', parentId: theirs.categoryId }, 'parentId'],
    ['PUT', `/categories/${mine.categoryId}`, { parentId: theirs.categoryId }, 'parentId'],
    ['PUT', `/categories/${mine.categoryId}`, { media: { id: theirs.mediaId } }, 'media.id'],
    ...(['PUT', 'POST'] as const).flatMap((verb) => {
      const path = verb === 'PUT' ? product : `${product}/site-preview`;
      return [
        [verb, path, { categoryIds: [theirs.categoryId] }, 'categoryIds[0]'],
        [verb, path, { relatedIds: [theirs.productId] }, 'relatedIds[0]'],
        [verb, path, { gallery: [{ id: theirs.mediaId }] }, 'gallery[0].id'],
      ] as const;
    }),
    ['PUT', entry, { blocks: related }, 'blocks[0].value'],
    ['PUT', entry, { blocks: cover }, 'blocks[0].value.id'],
    ['POST', '/entries', { collectionId: theirs.collectionId, blocks: [] }, 'collectionId'],
    ['POST', '/releases', { name: 'x', at: 4_000_000_000, items: [theirs.entryId] }, 'items[0]'],
  ] as const) {
    const response = await mine.call(method, path, body);
    assert.equal(response.status, 422, `${method} ${path} ${field}`);
    assert.deepEqual(problems(response), [`${field} NOT_FOUND`]);
  }
  const shown = await mine.call('POST', `${entry}/site-preview`, { blocks: [...related, ...cover] });
  assert.equal(shown.status, 200);
  assert.doesNotMatch(shown.body.html, /Theirs|secret/);
  for (const path of [`/products/${theirs.productId}`, `//x/s/${theirs.businessId}/`]) {
    const page = await mine.call('POST', '/storefront/preview', { storefront: {}, path });
    assert.match(page.body.html, /Page not found/);
  }
});

test("a guest can't buy, read, merge or order with another business's IDs", async () => {
  const guest = mine.as(mine.guest.token);
  const added = await guest('POST', '/carts', { market: 'us', items: [itemOf(theirs.productId)] });
  assert.deepEqual([added.body.items[0]!.name, added.body.quote], ['', null]);
  const secret = { 'souk-cart-secret': theirs.cart.secret };
  const cart = `/carts/${theirs.cart.id}`;
  for (const [method, path, body] of [
    ['GET', cart],
    ['PUT', cart, { items: [] }],
    ['DELETE', cart],
    ['POST', `${cart}/merge`],
    ['POST', `/products/${theirs.productId}/stock-alerts`, { email: 'ada@example.com', variantId: 'main' }],
  ] as const)
    assert.equal((await mine.as(theirs.guest.token)(method, path, body, secret)).status, 404, `${method} ${path}`);
  const order = { businessId: mine.businessId, market: 'us', paymentMethod: 'CASH', shippingMethodId: 'post' };
  for (const [more, field] of [
    [{ cartId: theirs.cart.id }, 'cartId NOT_FOUND'],
    [{ items: [itemOf(theirs.productId)] }, 'items[0].productId NOT_FOUND'],
    [{ items: [itemOf(mine.productId)], quoteId: theirs.quoteId }, 'quoteId NOT_FOUND'],
    [{ items: [itemOf(mine.productId)], businessId: theirs.businessId }, 'businessId INVALID_VALUE'],
  ] as const)
    assert.deepEqual(problems(await guest('POST', '/orders/checkout', { ...order, ...more }, secret)), [field]);
  const { body } = await theirs.as(theirs.guest.token)('GET', cart);
  assert.deepEqual(
    body.items.map(({ productId }: Json) => productId),
    [theirs.productId],
  );
});

test("a form of a storefront with another business's IDs shows and changes nothing", async () => {
  const site = `/s/${mine.businessId}`;
  const browser = openBrowser(h.url);
  const add = { action: 'add', variantId: 'main', quantity: '1' };
  await browser.post(`${site}/cart`, { ...add, productId: mine.productId });
  await browser.post(`${site}/cart`, { ...add, productId: theirs.productId });
  const shown = [browser.current().text];
  await browser.open(`${site}/checkout`);
  await browser.send('place', { cartId: theirs.cart.id, terms: 'yes' });
  shown.push(browser.current().text);
  for (const path of [`thanks?order=${theirs.orderId}`, `account/orders/${theirs.orderId}`, `cart?restore=x`]) {
    await browser.open(`${site}/${path}`);
    shown.push(browser.current().text);
  }
  assert.doesNotMatch(shown.join(), /Theirs/);
  assert.equal((await mine.orders()).length, 1);
  assert.equal((await theirs.orders()).length, 1);
});
