import assert from 'node:assert/strict';
import test from 'node:test';
import { listSendSales } from '../../src/domains/orders/index.ts';
import { shareHarness } from '../harness.ts';
import { openCarts } from './cart-shop.ts';

const h = await shareHarness();
const shop = await openCarts(h);
const businessId = shop.base.split('/').at(-1)!;
const sendId = 'snd_01jd3x8q6kz5v0n4t7w2m9c1ab';
const DAY = 86_400;

const reference = (id = businessId, ageSeconds = 0) =>
  h.service.contexts.system().carts.references.token({ businessId: id, sendId }, h.clock.seconds() - ageSeconds);

async function orderWith(soukRef: string): Promise<{ cart: unknown; sendId: string | null; id: string }> {
  const mug = await shop.product({ price: 1000 });
  const guest = await h.guest();
  const { id } = await shop.create(guest, mug, 1, { soukRef });
  const { attribution } = (await shop.get(guest, id)).body;
  const { body } = await shop.order(guest, id);
  const [row] = await h.pool<{ sendId: string | null }[]>`select send_id from orders where id = ${body.orderId}`;
  return { cart: attribution, sendId: row!.sendId, id: body.orderId };
}

test('an order is attributed to the send whose link led to its cart, unless the reference is forged, too old or from another business', async () => {
  const ordered = await orderWith(reference());
  assert.deepEqual([ordered.cart, ordered.sendId], [{ sendId }, sendId]);
  for (const bad of [reference().replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')), reference('biz_other'), 'x']) {
    const { cart, sendId: found } = await orderWith(bad);
    assert.deepEqual([cart, found], [null, null], bad);
  }
  assert.equal((await orderWith(reference(businessId, 7 * DAY - 60))).sendId, sendId);
  assert.equal((await orderWith(reference(businessId, 7 * DAY))).sendId, null);
});

test('sales of a send are the payments of paid orders minus refunds, per currency', async () => {
  const sales = () => listSendSales(h.pool as never, businessId, sendId);
  await h.pool`update orders set send_id = null where business_id = ${businessId}`;
  const [paid, refunded] = [await orderWith(reference()), await orderWith(reference())];
  await orderWith(reference());
  assert.deepEqual([...(await sales())], []);
  const pay = (id: string, back: number) => h.pool`
    update orders set payment_status = ${back ? 'PARTIALLY_REFUNDED' : 'PAID'}, paid = 1000, refunded = ${back}
    where id = ${id}`;
  await pay(paid.id, 0);
  await pay(refunded.id, 300);
  assert.deepEqual([...(await sales())], [{ currency: 'usd', orders: 2, gross: 2000, refunds: 300, net: 1700 }]);
});
