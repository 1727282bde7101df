import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../../harness.ts';
import { last, press } from '../shop.ts';
import { openReturnShop } from './shop.ts';

const h = await shareHarness();

/** An exchange for an item that costs 600 more, with the link of the new order from its email. */
async function openExpensiveExchange() {
  const shop = await openReturnShop(h);
  const [old, expensive] = [await shop.product({ price: 2000 }), await shop.product({ price: 2600, name: 'Jug' })];
  const sold = await shop.sold(old, 1);
  const { body: request } = await shop.request(sold, 1, { type: 'EXCHANGE' });
  await shop.step(request.id, 'approve');
  const lines = [{ type: 'PRODUCT_VARIANT', productId: expensive, variantId: 'main', quantity: 1 }];
  const { body } = await shop.step(request.id, 'close', { refund: true, exchange: { lines } });
  await h.drain();
  const id = body.exchangeOrderId!;
  const order = await shop.order(id);
  const mail = (await h.mailbox()).find(({ to, text }: Json) => to === order.email && text.includes('Pay now')) as Json;
  const link = /\S+\/order\/\S+(?=#pay)/.exec(mail.text)![0];
  return { ...shop, id, mail, link, expensive };
}

test('the emails of an exchange name the returned items, the new items and the difference', async () => {
  const shop = await openReturnShop(h);
  const [old, cheap] = [
    await shop.product({ price: 2000, name: 'Pot' }),
    await shop.product({ price: 1500, name: 'Cup' }),
  ];
  const sold = await shop.sold(old, 1);
  const { body: request } = await shop.request(sold, 1, { type: 'EXCHANGE' });
  await shop.step(request.id, 'approve');
  const lines = [{ type: 'PRODUCT_VARIANT', productId: cheap, variantId: 'main', quantity: 1 }];
  const { body } = await shop.step(request.id, 'close', { refund: true, exchange: { lines } });
  await h.drain();
  const [original, exchange] = [await shop.order(sold.id), await shop.order(body.exchangeOrderId!)];
  const mails = (await h.mailbox()).filter(({ to }) => to === original.email) as Json[];
  const aboutReturn = mails.find(({ subject }) => subject.startsWith('Return approved'))!;
  for (const part of [aboutReturn.text, aboutReturn.html]) assert.match(part, /You asked for an exchange/);
  const { text, html } = mails.find(({ subject }) => subject === `Exchange for order #${original.number}`)!;
  for (const part of [text, html]) {
    assert.match(part, /Returned items[\s\S]*Pot[\s\S]*New items[\s\S]*Cup[\s\S]*Total[\s\S]*15\.00/);
    assert.match(part, /Value of returned items[\s\S]*-\$20\.00[\s\S]*Refunded difference[\s\S]*\$5\.00/);
  }
  const refund = mails.find(({ subject }) => subject.startsWith('Refund for order'))!;
  for (const part of [refund.text, refund.html]) {
    assert.match(part, /We refunded \$5\.00[\s\S]*Applied to exchange[\s\S]*-\$15\.00[\s\S]*Refunded[\s\S]*-\$5\.00/);
    assert.ok(!part.includes('-$20.00'), 'the value of the returned items is not the refunded amount');
  }
  assert.deepEqual([original.refunded, original.exchanged], [2000, 1500]);
  const page = await (await fetch(/\S+\/order\/\S+/.exec(refund.text)![0])).text();
  assert.match(
    page,
    /Applied to exchange<\/td><td class="amount">-\$15\.00[\s\S]*Refunded<\/td><td class="amount">-\$5\.00/,
  );
  const about = mails.filter(({ subject }) => subject.includes(`#${exchange.number}`));
  assert.deepEqual(about, [], 'no other email asks for or confirms a payment of the new order');
});

const start = (link: string) => fetch(`${link}/pay`, { method: 'POST', redirect: 'manual' });

test('a customer pays the price difference for a more expensive exchange through the link in the email', async () => {
  const { link, id, mail, ...shop } = await openExpensiveExchange();
  assert.match(mail.subject, /^Exchange for order/);
  assert.match(mail.text, /Value of returned items.*20\.00/);
  assert.match(mail.text, /Amount due.*6\.00/);
  assert.match(await (await fetch(link)).text(), /Pay \$6\.00/);
  const started = await start(link);
  assert.equal(started.status, 303);
  const page = started.headers.get('location')!;
  assert.match(await (await fetch(page)).text(), /Value of returned items[\s\S]*6\.00/);
  await press(page, 'pay');
  const order = await shop.order(id);
  await h.drain('order-tasks');
  const confirmation = (await h.mailbox()).find(
    ({ to, subject }: Json) => to === order.email && /^Payment/.test(subject),
  );
  assert.match((confirmation as Json).text, /your payment of \$6\.00/);
  assert.deepEqual([order.paid, last(order.paymentStatus), last(order.statuses)], [2600, 'PAID', 'PROCESSING']);
  const { body } = await h.call('GET', `${shop.base}/orders/${id}/documents`, { token: shop.staff.token });
  assert.deepEqual(
    body.items.map(({ total }) => total),
    [2600],
  );
  assert.doesNotMatch(await (await fetch(link)).text(), /Pay \$/);
  assert.equal((await start(link)).status, 409);

  // Only the amount paid by card is refunded to the card. The rest was paid with the returned items.
  const tooMuch = await shop.refund(id, { amount: 601 });
  assert.deepEqual([tooMuch.status, tooMuch.body.details[0]!.field], [422, 'amount']);
  assert.equal((await shop.refund(id, { amount: 600 })).status, 200);
  assert.equal((await shop.refund(id)).body.refunded, 2600);
});

test('a payment for an exchange that expired or was canceled can be started again, and the order is kept', async () => {
  const { link, id, expensive, ...shop } = await openExpensiveExchange();
  const first = (await start(link)).headers.get('location')!;
  const expiry = () => h.pool`select expires_at from payments where business_id = ${shop.businessId} and id = ${id}`;
  await h.pool`update payments set expires_at = expires_at - 60 where business_id = ${shop.businessId} and id = ${id}`;
  const before = await expiry();
  assert.equal((await start(link)).headers.get('location'), first);
  assert.deepEqual(await expiry(), before, 'an open payment is continued');
  await press(first, 'cancel');
  assert.deepEqual([last((await shop.order(id)).statuses), await shop.stock(expensive)], ['PROCESSING', 9]);
  const second = (await start(link)).headers.get('location')!;
  await h.pool`update payments set expires_at = 1 where business_id = ${shop.businessId} and id = ${id}`;
  assert.equal((await press(second, 'pay')).status, 410);
  const third = (await start(link)).headers.get('location')!;
  await press(third, 'pay');
  assert.deepEqual([(await shop.order(id)).paid, last((await shop.order(id)).paymentStatus)], [2600, 'PAID']);
});

test('a payment for an exchange that staff have marked as paid or canceled in the meantime is refunded', async () => {
  const marked = await openExpensiveExchange();
  const page = (await start(marked.link)).headers.get('location')!;
  await marked.setPayment(marked.id, 'PAID');
  await press(page, 'pay');
  await h.drain();
  const order = await marked.order(marked.id);
  assert.deepEqual([order.paid, order.refunded], [3200, 600]);

  const canceled = await openExpensiveExchange();
  await canceled.setStatus(canceled.id, 'CANCELLED');
  assert.equal((await start(canceled.link)).status, 409);
});
