import assert from 'node:assert/strict';
import test from 'node:test';
import { createSandbox } from '../../src/providers/payments/sandbox.ts';
import { deriveKey } from '../../src/shared/security/secrets.ts';
import { shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { last, openShop, passTime, press, untilBlocked } from '../orders/shop.ts';

const h = await shareHarness();
const shop = await openShop(h);

async function begin() {
  const mug = await shop.product({ price: 1250, quantity: 5 });
  const { body } = await shop.checkout(mug, {
    quantity: 2,
    returnUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
  });
  const state = async () => {
    const { statuses, paymentStatus } = await shop.order(body.orderId);
    return [last(statuses), last(paymentStatus), await shop.stock(mug)];
  };
  const act = async (action: 'pay' | 'decline' | 'cancel') => {
    const { status, location } = await press(body.checkoutUrl!, action);
    return [status, location];
  };
  return { orderId: body.orderId as string, checkoutUrl: body.checkoutUrl as string, state, act };
}

test('a declined payment redirects to the cart and can still be paid, once', async () => {
  const { orderId, state, act } = await begin();
  assert.deepEqual(await act('decline'), [303, 'https://shop.example/cart']);
  assert.deepEqual(await state(), ['PENDING', 'FAILED', 3]);
  for (let i = 0; i < 2; i++) assert.deepEqual(await act('pay'), [303, 'https://shop.example/thanks']);
  for (const late of ['decline', 'cancel'] as const)
    assert.deepEqual(await act(late), [303, 'https://shop.example/thanks']);
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3]);
  assert.equal((await shop.order(orderId)).paymentStatus.length, 3);
});

test('canceling the payment cancels the order on behalf of the customer and returns its stock immediately', async () => {
  const { orderId, state, act } = await begin();
  assert.deepEqual(await act('cancel'), [303, 'https://shop.example/cart']);
  assert.deepEqual(await state(), ['CANCELLED', 'FAILED', 5]);
  const { changedBy, userId } = (await shop.order(orderId)).statuses.at(-1)!;
  assert.deepEqual([changedBy, userId], ['USER', shop.customer.userId]);
  assert.deepEqual(await act('pay'), [410, null]);
  assert.deepEqual(await state(), ['CANCELLED', 'FAILED', 5]);
});

test('an expired payment, or one whose order staff canceled, can’t be paid', async () => {
  const cancelled = await begin();
  await shop.setStatus(cancelled.orderId, 'CANCELLED');
  assert.deepEqual(await cancelled.act('pay'), [410, null]);
  assert.deepEqual(await cancelled.state(), ['CANCELLED', 'PENDING', 5]);
  const late = await begin();
  await passTime(h, 310);
  assert.deepEqual(await late.act('pay'), [410, null]);
  assert.deepEqual(await late.state(), ['PENDING', 'PENDING', 3]);
});

test('payment links stop working when the sandbox is switched off', async () => {
  const { checkoutUrl, state, act } = await begin();
  const { url } = await h.startNode({ paymentSandbox: false });
  const page = url + new URL(checkoutUrl).pathname;
  assert.equal((await press(page, 'pay')).status, 410);
  for (const action of ['decline', 'cancel'] as const)
    assert.equal((await press(page, action)).location, 'https://shop.example/cart');
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 3]);
  assert.deepEqual(await act('pay'), [303, 'https://shop.example/thanks'], 'elsewhere it is still on');
});

test('sandbox payment links stop working when the business changes to another provider', async () => {
  const { state, act } = await begin();
  const admin = await h.member(shop.businessId, 'ADMIN');
  const change = (paymentProvider: object) =>
    h.call('PUT', shop.base, { token: admin.token, body: { configs: { paymentProvider } } });
  await change({ type: 'STRIPE', publicKey: 'pk_1', secretKey: 'sk_test_1', webhookSecret: 'whsec_1' });
  assert.deepEqual(await act('pay'), [410, null]);
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 3]);
  await change({ type: 'SANDBOX' });
  assert.deepEqual(await act('pay'), [303, 'https://shop.example/thanks']);
});

test('the page of a payment with another provider can’t complete it, even when the business is back in the sandbox', async () => {
  const { orderId, state, act } = await begin();
  await h.pool.db`update payments set provider = 'STRIPE' where id = ${orderId}`;
  await act('pay');
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 3]);
});

test('payment links that name only the payment still work', async () => {
  const { orderId, checkoutUrl, state } = await begin();
  const key = deriveKey(h.config.secretKey, 'sandbox-payments');
  const short = createSandbox(key, () => h.url).urlOf({ businessId: shop.businessId, id: orderId });
  assert.ok(short.length < checkoutUrl.length);
  assert.equal((await press(short, 'pay')).status, 303);
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3]);
});

test('a payment is not made if staff or the customer cancel its order during the request', async () => {
  const other = await h.secondNode();
  const { token } = shop.staff;
  const cancelBy: ((order: Awaited<ReturnType<typeof begin>>) => Promise<unknown>)[] = [
    ({ orderId }) =>
      other.call('PUT', `${shop.base}/orders/${orderId}/status`, { token, body: { status: 'CANCELLED' } }),
    ({ checkoutUrl }) => press(other.url + new URL(checkoutUrl).pathname, 'cancel'),
  ];
  for (const cancel of cancelBy) {
    const order = await begin();
    const paid = await h.pool.transaction(async (tx) => {
      await tx`select from orders where business_id = ${shop.businessId} and id = ${order.orderId} for update`;
      await whenWaitingForLock(h.pool, cancel(order));
      const paying = order.act('pay');
      await whenWaitingForLock(h.pool, paying, 2);
      return { paying };
    });
    assert.deepEqual(await paid.paying, [410, null]);
    const [status, , stock] = await order.state();
    assert.deepEqual([status, stock], ['CANCELLED', 5]);
  }
});

test('a payment that expires during the request is not made', async () => {
  const { orderId, state, act } = await begin();
  let paid: ReturnType<typeof act> | undefined;
  await h.pool.transaction(async (tx) => {
    await tx`select from orders where business_id = ${shop.businessId} and id = ${orderId} for update`;
    paid = act('pay');
    await untilBlocked(h);
    await tx`update payments set expires_at = 0 where id = ${orderId}`;
  });
  assert.deepEqual(await paid, [410, null]);
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 3]);
});
