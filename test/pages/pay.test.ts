import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { last, openShop, passTime, press } from '../orders/shop.ts';
import { openPage, skip } from './browser.ts';

const h = await startHarness({ CHECKOUT_TTL: '300' });
const shop = await openShop(h, { shippingMethods: [{ id: 'std', prices: [{ market: 'us', amount: 500 }] }] });

/** The shop that customers come from: another origin than ours. */
const front = createServer((request, reply) => {
  reply.writeHead(200, { 'content-type': 'text/html' });
  reply.end(`<title>${request.url}</title>`);
});
await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
after(() => front.close());
const frontUrl = `http://localhost:${(front.address() as AddressInfo).port}`;

async function begin(name = 'Mug') {
  const mug = await shop.product({ price: 1250, quantity: 5, name });
  const { body } = await shop.checkout(mug, {
    quantity: 2,
    shippingMethodId: 'std',
    returnUrl: `${frontUrl}/thanks`,
    cancelUrl: `${frontUrl}/cart`,
  });
  const state = async () => {
    const { statuses, paymentStatus } = await shop.order(body.orderId);
    return [last(statuses), last(paymentStatus), await shop.stock(mug)];
  };
  return { ...body, state } as { orderId: string; checkoutUrl: string; state: () => Promise<unknown[]> };
}

/** A page, and what its browser complained about. */
async function open(url: string, options = { javaScriptEnabled: false }) {
  const page = await openPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(url);
  return { page, complaints };
}

test('a customer sees what the order costs and pays, without JavaScript', { skip }, async () => {
  const { checkoutUrl, state } = await begin('Cup <b>& saucer');
  const { page, complaints } = await open(checkoutUrl);
  const text = await page.innerText('main');
  for (const part of ['Pay Shop', '2 × Cup <b>& saucer (Main)', '$25.00', 'Shipping', '$5.00', 'Total', '$30.00']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 3], 'looking at it pays nothing');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(`${frontUrl}/thanks`);
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3]);
  await page.goto(checkoutUrl);
  assert.match(await page.innerText('main'), /has arrived/);
  assert.equal(await page.getByRole('button').count(), 0);
  assert.deepEqual(complaints, []);
});

test('a double click on Pay pays once', { skip }, async () => {
  const { checkoutUrl, orderId, state } = await begin();
  const { page } = await open(checkoutUrl, { javaScriptEnabled: true });
  await page.getByRole('button', { name: 'Pay' }).dblclick();
  await page.waitForURL(`${frontUrl}/thanks`);
  await Promise.all(Array.from({ length: 5 }, () => press(checkoutUrl, 'pay')));
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3]);
  const order = await shop.order(orderId);
  assert.deepEqual(
    order.paymentStatus.map((entry: Json) => entry.status),
    ['PENDING', 'PAID'],
  );
});

test('a declined payment leads back to the cart, and can be tried again', { skip }, async () => {
  const { checkoutUrl, state } = await begin();
  const { page } = await open(checkoutUrl);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.waitForURL(`${frontUrl}/cart`);
  assert.deepEqual(await state(), ['PENDING', 'FAILED', 3]);
  await page.goto(checkoutUrl);
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(`${frontUrl}/thanks`);
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3]);
});

test('a cancelled payment cancels the order and frees its stock at once', { skip }, async () => {
  const { checkoutUrl, state } = await begin();
  const { page } = await open(checkoutUrl);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${frontUrl}/cart`);
  assert.deepEqual(await state(), ['CANCELLED', 'FAILED', 5]);
  assert.equal((await press(checkoutUrl, 'pay')).status, 410);
  assert.deepEqual(await state(), ['CANCELLED', 'FAILED', 5]);
});

test('a payment that has run out cannot be made, before and after its job has run', { skip }, async () => {
  const { checkoutUrl, state } = await begin();
  const { page } = await open(checkoutUrl);
  await passTime(h, 310);
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText('This payment has ended.').waitFor();
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 3]);
  await h.drain();
  assert.deepEqual(await state(), ['CANCELLED', 'FAILED', 5]);
  await page.goto(checkoutUrl);
  assert.equal(await page.getByRole('button').count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Back to the shop' }).getAttribute('href'), `${frontUrl}/cart`);
});

test('a token that was not made here opens nothing', async () => {
  const { checkoutUrl, state } = await begin();
  const other = await begin();
  const [payload] = new URL(checkoutUrl).pathname.split('/').at(-1)!.split('.');
  const [, signature] = new URL(other.checkoutUrl).pathname.split('/').at(-1)!.split('.');
  for (const token of [`${payload}.${signature}`, `${payload}.`, payload, 'x', `${payload}.${signature}.x`]) {
    const answer = await press(`${h.url}/pay/${token}`, 'pay');
    assert.equal(answer.status, 404, token);
  }
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 3]);
  const nonsense = await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'steal' }) });
  assert.equal(nonsense.status, 422);
});
