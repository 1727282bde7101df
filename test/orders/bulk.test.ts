import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { openShop } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h);
const { base, customer } = shop;
const { token } = shop.staff;

const setStatuses = (items: object[]) => h.call('PUT', `${base}/orders/status`, { token, body: { items } });

async function createOrder(productId: string) {
  const lines = [{ type: 'PRODUCT_VARIANT', productId, variantId: 'main', quantity: 2 }];
  const body = { customerId: customer.userId, market: 'us', lines };
  return (await h.call('POST', `${base}/orders`, { token, body })).body.id;
}

test('a bulk status change has the same effects on each order as a request for a single one, and an error for each that fails', async () => {
  const productId = await shop.product({ quantity: 10 });
  const [shipped, cancelled] = [await createOrder(productId), await createOrder(productId)];
  const tracking = { carrier: 'DHL', number: '1' };
  const { status, body } = await setStatuses([
    { orderId: shipped, status: 'SHIPPED', tracking },
    { orderId: 'ord_none', status: 'SHIPPED' },
    { orderId: shipped, status: 'LOST' },
    { orderId: cancelled, status: 'CANCELLED' },
  ]);
  assert.equal(status, 200, JSON.stringify(body));
  const single = await h.call('PUT', `${base}/orders/${shipped}/status`, { token, body: { status: 'LOST' } });
  assert.deepEqual(
    body.items.map(({ success, error }) => [success, error]),
    [
      [true, undefined],
      [false, { error: 'NOT_FOUND', message: 'Order not found.', details: [], validationErrors: [] }],
      [false, single.body],
      [true, undefined],
    ],
  );
  for (const i of [0, 3]) {
    const { etag, ...order } = body.items[i]!.result!;
    const read = await h.call('GET', `${base}/orders/${order.id}`, { token });
    assert.deepEqual(read.body, order);
    assert.equal(read.headers.get('etag'), etag);
  }
  assert.deepEqual(body.items[0]!.result!.tracking, tracking);
  const { body: product } = await h.call('GET', `${base}/products/${productId}`, { token });
  assert.equal(product.variants[0]!.inventory.quantity, 8);
});
