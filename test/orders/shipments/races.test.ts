import assert from 'node:assert/strict';
import test from 'node:test';
import { type ApiResponse, type Harness, type Json, shareHarness } from '../../harness.ts';
import { last, openShop, tally } from '../shop.ts';

const h = await shareHarness();
const second = await h.secondNode();
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Asserts that an order's status, fulfillment, shipments and stock agree. Returns how many units it holds. */
function unitsHeld({ fulfillment, statuses, shipments, lines }: Json): number {
  const shipped = shipments
    .flatMap((shipment: Json) => shipment.lines)
    .reduce((sum: number, each: Json) => sum + each.quantity, 0);
  const [{ quantity }] = lines;
  assert.ok(shipped <= quantity, `${shipped} of ${quantity} units are shipped`);
  assert.equal(fulfillment, shipped === 0 ? 'UNFULFILLED' : shipped < quantity ? 'PARTIAL' : 'FULFILLED');
  const status = last(statuses)!;
  if (status !== 'CANCELLED') assert.equal(status === 'SHIPPED', shipped === quantity, status);
  return status === 'CANCELLED' ? shipped : quantity;
}

test('200 concurrent part-shipments and cancellations on two nodes keep stock, fulfillment and status consistent', async () => {
  const shop = await openShop(h);
  const mug = await shop.product({ quantity: 1000 });
  const { token } = shop.staff;
  const send = (i: number, method: string, path: string, body?: object): Promise<ApiResponse> =>
    (i % 2 ? second.call : (h.call as Harness['call']))(method, `${shop.base}/orders/${path}`, { token, body });
  const orders: Json[] = await Promise.all(
    times(10, async () => {
      const lines = [{ productId: mug, variantId: 'main', quantity: 10 }];
      const body = { customerId: shop.customer.userId, market: 'us', currency: 'usd', lines };
      return (await h.call('POST', `${shop.base}/orders`, { token, body })).body;
    }),
  );
  const act = async (i: number): Promise<ApiResponse> => {
    const { id } = orders[i % orders.length]!;
    const turn = Math.floor(i / orders.length);
    if (turn % 10 === 6) return send(i, 'PUT', `${id}/status`, { status: 'CANCELLED' });
    if (turn % 10 === 7) return send(i, 'PUT', `${id}/status`, { status: 'PROCESSING' });
    if (turn % 10 === 8) {
      const { body } = await send(i, 'GET', `${id}/shipments`);
      return body.items.length === 0
        ? send(i, 'GET', id)
        : send(i, 'DELETE', `${id}/shipments/${body.items.at(-1)!.id}`);
    }
    return send(i, 'POST', `${id}/shipments`, { lines: [{ lineId: 'line_1', quantity: 1 + (i % 2) }] });
  };
  const statuses = tally(await Promise.all(times(200, act)));
  assert.deepEqual(
    Object.keys(statuses).filter((status) => !['200', '404', '409', '422'].includes(status)),
    [],
  );
  assert.ok(statuses[200]! >= 80, JSON.stringify(statuses));
  const after = await Promise.all(orders.map(({ id }) => shop.order(id)));
  const held = after.map(unitsHeld).reduce((sum, units) => sum + units, 0);
  assert.equal((await shop.stock(mug)) + held, 1000);
  assert.equal(await shop.ledger(mug), await shop.stock(mug));
});

test('100 concurrent shipments of the last units ship each unit once', async () => {
  const shop = await openShop(h);
  const lines = [{ productId: await shop.product({ quantity: 10 }), variantId: 'main', quantity: 10 }];
  const body = { customerId: shop.customer.userId, market: 'us', currency: 'usd', lines, email: 'bo@example.com' };
  const { token } = shop.staff;
  const { body: order } = await h.call('POST', `${shop.base}/orders`, { token, body });
  const responses = await Promise.all(
    times(100, (i) =>
      (i % 2 ? second.call : h.call)('POST', `${shop.base}/orders/${order.id}/shipments`, {
        token,
        body: { lines: [{ lineId: 'line_1', quantity: 1 }] },
      }),
    ),
  );
  assert.deepEqual(tally(responses as ApiResponse[]), { 200: 10, 409: 90 });
  assert.equal(unitsHeld(await shop.order(order.id)), 10);
  const mails = await h.pool`select from order_tasks where order_id = ${order.id} and kind = 'SHIPPED'`;
  assert.equal(mails.length, 10);
});
