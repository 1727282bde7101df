import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { shareHarness } from '../harness.ts';
import { openShop } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h);
const { base, businessId, customer } = shop;
const staff = await h.member(businessId, 'ORDER_READ', 'ORDER_WRITE', 'CUSTOMER_READ', 'CUSTOMER_WRITE');
const clerk = await h.member(businessId, 'ORDER_READ');

const get = async (path: string, token = staff.token) => {
  const { status, body } = await h.call('GET', `${base}/${path}` as `${typeof base}/orders`, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const readOrder = async (id: string, token?: string) =>
  (await get(`orders/${id}?expand=customer,product`, token)) as unknown as Awaited<ReturnType<typeof shop.order>>;

test('an expanded order has the current customer and products, in lists too', async () => {
  const [a, b] = [await shop.product({ name: 'Mug' }), await shop.product({ name: 'Cup' })];
  const items = [a, b].map((productId) => ({ productId, variantId: 'main', quantity: 1 }));
  const { orderId } = (await shop.checkout(a, { items })).body;
  const order = await readOrder(orderId);
  assert.equal(order.customer!.userId, customer.userId);
  const { body: record } = await h.call('GET', `${base}/customers/${order.customer!.id}`, { token: staff.token });
  assert.deepEqual(order.customer, record);
  const { slug } = (await h.call('GET', `${base}/products/${a}`, { token: staff.token })).body;
  assert.deepEqual(order.lines[0]!.product, { id: a, name: 'Mug', slug, category: '', image: null });
  assert.equal(order.lines[1]!.product!.name, 'Cup');

  const { items: listed } = await get('orders?expand=customer,product&limit=1');
  const { etag: _, ...first } = listed[0]!;
  assert.deepEqual(first, order);
  const plain = await shop.order(orderId);
  assert.equal('customer' in plain || 'product' in plain.lines[0]!, false);

  await h.call('DELETE', `${base}/products/${b}`, { token: shop.staff.token });
  assert.equal((await readOrder(orderId)).lines[1]!.product, null);
});

test('the customer of an order can be a record without an account', async () => {
  const productId = await shop.product();
  const { body: record } = await h.call('POST', `${base}/customers`, { token: staff.token, body: { name: 'Bo' } });
  const body = { customerId: record.id, market: 'us', lines: [{ productId, variantId: 'main', quantity: 1 }] };
  const { id } = (await h.call('POST', `${base}/orders`, { token: staff.token, body })).body;
  assert.equal((await readOrder(id)).customer!.name, 'Bo');
});

test('expand adds only records that the caller can see', async () => {
  const productId = await shop.product();
  const { orderId } = (await shop.checkout(productId)).body;
  const status = { statuses: [{ status: 'ARCHIVED' }] };
  await h.call('PUT', `${base}/products/${productId}`, { token: shop.staff.token, body: status });
  for (const { token } of [clerk, customer]) {
    const order = await readOrder(orderId, token);
    assert.equal(order.customer, null);
    assert.equal(order.lines[0]!.product, null);
  }
  assert.equal((await readOrder(orderId, shop.staff.token)).lines[0]!.product!.id, productId);
  const bad = await h.call('GET', `${base}/orders/${orderId}?expand=payments`, { token: staff.token });
  assert.equal(bad.status, 422);
});

test('a page of expanded orders reads all customers and all products with one statement each', async (t) => {
  for (let i = 0; i < 3; i++) await shop.checkout(await shop.product(), { token: (await h.user()).token });
  const query = t.mock.method(pg.Client.prototype, 'query');
  const { items } = await get('orders?expand=customer,product&limit=3');
  assert.equal(new Set(items.map(({ customer: shown }) => shown!.id)).size, 3);
  const texts = query.mock.calls.map(({ arguments: [first] }) =>
    typeof first === 'string' ? first : String((first as { text?: string }).text),
  );
  const reads = (table: string) => texts.filter((text) => text.includes(`from ${table}`)).length;
  assert.deepEqual([reads('customers c'), reads('products')], [1, 1]);
});
