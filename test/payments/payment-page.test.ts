import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { last, openShop, passTime, press, untilSomebodyWaits } from '../orders/shop.ts';

const h = await startHarness({ CHECKOUT_TTL: '300' });
const shop = await openShop(h);

async function begin() {
  const mug = await shop.product({ price: 1250, quantity: 5 });
  const { body } = await shop.checkout(mug, {
    ...{ quantity: 2, returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' },
  });
  const state = async () => {
    const { statuses, paymentStatus } = await shop.order(body.orderId);
    return [last(statuses), last(paymentStatus), await shop.stock(mug)];
  };
  const act = async (action: 'pay' | 'decline' | 'cancel') => {
    const { status, location } = await press(body.checkoutUrl, action);
    return [status, location];
  };
  return { orderId: body.orderId as string, state, act };
}

test('a declined payment leads back to the cart and can be made afterwards, once', async () => {
  const { orderId, state, act } = await begin();
  assert.deepEqual(await act('decline'), [303, 'https://shop.example/cart']);
  assert.deepEqual(await state(), ['PENDING', 'FAILED', 3]);
  for (let i = 0; i < 2; i++) assert.deepEqual(await act('pay'), [303, 'https://shop.example/thanks']);
  for (const late of ['decline', 'cancel'] as const)
    assert.deepEqual(await act(late), [303, 'https://shop.example/thanks']);
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3]);
  assert.equal((await shop.order(orderId)).paymentStatus.length, 3);
});

test('a payment that its customer gives up cancels the order in their name, and frees its stock at once', async () => {
  const { orderId, state, act } = await begin();
  assert.deepEqual(await act('cancel'), [303, 'https://shop.example/cart']);
  assert.deepEqual(await state(), ['CANCELLED', 'FAILED', 5]);
  const { changedBy, userId } = (await shop.order(orderId)).statuses.at(-1);
  assert.deepEqual([changedBy, userId], ['USER', shop.customer.userId]);
  assert.deepEqual(await act('pay'), [410, null]);
  assert.deepEqual(await state(), ['CANCELLED', 'FAILED', 5]);
});

test('a payment that has run out, or whose order staff cancelled, cannot be made', async () => {
  const cancelled = await begin();
  await shop.setStatus(cancelled.orderId, 'CANCELLED');
  assert.deepEqual(await cancelled.act('pay'), [410, null]);
  assert.deepEqual(await cancelled.state(), ['CANCELLED', 'PENDING', 5]);
  const late = await begin();
  await passTime(h, 310);
  assert.deepEqual(await late.act('pay'), [410, null]);
  assert.deepEqual(await late.state(), ['PENDING', 'PENDING', 3]);
});

test('a payment that runs out while its button is being pressed is not made', async () => {
  const { orderId, state, act } = await begin();
  let paid: ReturnType<typeof act> | undefined;
  await h.pool.transaction(async (tx) => {
    await tx`select from orders where business_id = ${shop.businessId} and id = ${orderId} for update`;
    paid = act('pay');
    await untilSomebodyWaits(h);
    await tx`update payments set expires_at = 0 where id = ${orderId}`;
  });
  assert.deepEqual(await paid, [410, null]);
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 3]);
});
