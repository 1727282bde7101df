import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const { token, userId } = await h.member(businessId, 'ADMIN');
const base = `/v1/businesses/${businessId}`;

const get = async (path: string, as = token): Promise<Json> => {
  const { status, body } = await h.call('GET', `${base}/${path}`, { token: as });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const create = async (path: string, body: object): Promise<string> => {
  const response = await h.call('POST', `${base}/${path}`, { token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return (response.body as Json).id;
};

async function countPages(path: string, as?: string): Promise<number> {
  let count = 0;
  for (let cursor = ''; ; ) {
    const page = await get(`${path}${path.includes('?') ? '&' : '?'}limit=2&cursor=${cursor}`, as);
    assert.equal('total' in page, false, path);
    count += page.items.length;
    if (page.cursor === null) return count;
    cursor = encodeURIComponent(page.cursor);
  }
}

async function checkTotal(path: string, expected: number, as?: string): Promise<void> {
  const first = await get(`${path}${path.includes('?') ? '&' : '?'}limit=1&count=true`, as);
  assert.equal(first.total, expected, path);
  assert.equal(await countPages(path, as), expected, path);
  if (first.cursor === null) return;
  const next = await get(
    `${path}${path.includes('?') ? '&' : '?'}limit=1&count=true&cursor=${encodeURIComponent(first.cursor)}`,
    as,
  );
  assert.equal(next.total, expected, `${path}, second page`);
}

test('count=true adds the number of records on all pages that match the filters and that the caller can see', async () => {
  const guest = await h.guest();
  const price = (marketId: string) => ({ marketId, currency: 'usd', price: 100 });
  const product = (name: string, category: string, status: string, markets: string[]) =>
    create('products', {
      name,
      category,
      statuses: [{ status }],
      variants: [{ id: 'main', pricing: { markets: markets.map(price) } }],
    });
  const productId = await product('Linen shirt', 'shirts', 'ACTIVE', ['us', 'eu']);
  await product('Linen trousers', 'trousers', 'ACTIVE', ['us']);
  await product('Wool shirt', 'shirts', 'ACTIVE', ['us']);
  await product('Linen jacket', 'jackets', 'DRAFT', []);
  await checkTotal('products', 4);
  await checkTotal('products', 3, guest.token);
  await checkTotal('products?status=DRAFT', 1);
  await checkTotal('products?status=DRAFT', 0, guest.token);
  await checkTotal('products?categoryIds=shirts,trousers', 3);
  await checkTotal('products?query=linen', 3);
  await checkTotal('products?query=linen', 2, guest.token);
  await checkTotal('products?query=linne', 3);
  await checkTotal('products?query=nothing', 0);
  await checkTotal('products?query=linen&sort=name', 3);
  await checkTotal('products?sort=price&market=us', 3);
  await checkTotal('products?sort=price&market=eu', 1);

  const lines = [{ type: 'PRODUCT_VARIANT', productId, variantId: 'main', quantity: 1 }];
  for (const [customerId, status] of [
    [userId, 'PENDING'],
    [guest.userId, 'PENDING'],
    [guest.userId, 'SHIPPED'],
    [guest.userId, 'DELIVERED'],
  ]) {
    await create('orders', { customerId, market: 'us', lines, status });
  }
  await checkTotal('orders', 4);
  await checkTotal('orders', 3, guest.token);
  await checkTotal(`orders?customerId=${userId}`, 0, guest.token);
  await checkTotal('orders?statuses=PENDING,SHIPPED', 3);
  await checkTotal('orders?query=2', 1);

  const before = await countPages('customers');
  for (const name of ['Ada', 'Bo', 'Cy']) await create('customers', { name, tags: name === 'Bo' ? [] : ['regular'] });
  await checkTotal('customers', before + 3);
  await checkTotal('customers?tags=regular', 2);
  await checkTotal('customers?query=bo', 1);

  for (const code of ['SUMMER', 'SUN', 'WINTER']) {
    await create('promo-codes', { code, discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 100 }] });
  }
  await checkTotal('promo-codes', 3);
  await checkTotal('promo-codes?query=su', 2);

  const collectionId = await create('collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    statuses: [{ status: 'PUBLISHED' }],
    blocks: [
      { id: 'title', type: 'TEXT' },
      { id: 'topic', type: 'TEXT' },
    ],
    plans: [{ id: 'free', name: 'Free' }],
  });
  await create('collections', { name: 'Drafts', statuses: [{ status: 'DRAFT' }] });
  await checkTotal('collections', 2);
  await checkTotal('collections', 1, guest.token);
  for (const [title, topic, status] of [
    ['Spring news', 'news', 'PUBLISHED'],
    ['Summer news', 'news', 'PUBLISHED'],
    ['Summer recipes', 'food', 'PUBLISHED'],
    ['Autumn recipes', 'food', 'DRAFT'],
  ]) {
    const blocks = [
      { id: 'title', type: 'TEXT', value: title },
      { id: 'topic', type: 'TEXT', value: topic },
    ];
    await create('entries', { collectionId, blocks, statuses: [{ status }] });
  }
  await checkTotal('entries', 4);
  const inLetters = `entries?collectionId=${collectionId}`;
  await checkTotal(inLetters, 3, guest.token);
  await checkTotal(`${inLetters}&status=PUBLISHED`, 3);
  await checkTotal(`${inLetters}&query=summer`, 2);
  await checkTotal(`${inLetters}&filter[topic]=food`, 2);
  await checkTotal(`${inLetters}&filter[topic]=food&query=summer`, 1);
  await checkTotal(`${inLetters}&sort=title`, 4);
  await checkTotal(`${inLetters}&query=none`, 0);

  const subscribers = `collections/${collectionId}/subscribers`;
  for (const email of ['ada@example.com', 'bo@example.com', 'cy@example.org']) {
    await create(subscribers, { email, planId: 'free', consent: { source: 'Form', at: 1 } });
  }
  await checkTotal(subscribers, 3);
  await checkTotal(`${subscribers}?query=example.com`, 2);

  await checkTotal('media', 0);
  const form = new FormData();
  form.append('files', new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>']), 'dot.svg');
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${h.url}${base}/upload`, { method: 'POST', headers, body: form });
  await checkTotal('media', 1);
  await checkTotal('media?query=dot', 1);
  await checkTotal('media?query=---', 0);
});

test('counting stops at 10000', async () => {
  const large = await h.business();
  const admin = await h.member(large, 'ADMIN');
  await h.pool`
    insert into customers (business_id, id, name, created_at, updated_at)
    select ${large}, 'cust_' || lpad(n::text, 26, '0'), 'Ada', 0, 0 from generate_series(1, 10001) n`;
  const { body } = await h.call('GET', `/v1/businesses/${large}/customers?limit=1&count=true`, { token: admin.token });
  assert.equal(body.total, 10_000);
});
