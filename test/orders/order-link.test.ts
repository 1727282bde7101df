import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openShop, press } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h);

async function orderAsGuest(email: string, typed: object = { name: 'Grace Guest' }) {
  const mug = await shop.product({ name: 'Blue mug' });
  const guest = await h.guest();
  const { body } = await shop.checkout(mug, { token: guest.token, email, ...typed });
  await press(body.checkoutUrl!, 'pay');
  return { orderId: body.orderId as string, guest };
}

const page = (url: string) => fetch(url, { headers: { accept: 'text/html' } });

test('the link in an email opens the order with its tracking, without a login', async () => {
  const { orderId } = await orderAsGuest('link@example.com');
  await h.call('PUT', `${shop.base}/orders/${orderId}/status`, {
    token: shop.staff.token,
    body: { status: 'SHIPPED', tracking: { carrier: 'DHL', number: '123', url: 'https://dhl.example/123' } },
  });
  await h.drain('order-tasks');
  const mails = (await h.mailbox()).filter((mail) => mail.to === 'link@example.com') as Json[];
  const shipped = mails.find(({ subject }) => /on its way/.test(subject))!;
  assert.match(shipped.text, /https:\/\/dhl\.example\/123\n[\s\S]*DHL 123/);
  const [link] = shipped.text.match(/\S+\/order\/\S+/)!;
  for (const mail of mails) assert.ok(mail.text.includes(link));
  const response = await page(link);
  assert.equal(response.status, 200);
  const text = await response.text();
  for (const shown of ['Blue mug', 'Shipped', 'DHL 123', '$10.00']) assert.ok(text.includes(shown), shown);
});

test('a forged or truncated order link shows nothing', async () => {
  const { orderId } = await orderAsGuest('forged@example.com');
  await h.drain('order-tasks');
  const mail = (await h.mailbox()).find(({ to }) => to === 'forged@example.com') as Json;
  const [link] = mail.text.match(/\S+\/order\/\S+/)!;
  const other = await orderAsGuest('other@example.com');
  for (const url of [link.replace(orderId, other.orderId), link.slice(0, -1), link.slice(0, link.lastIndexOf('.'))])
    assert.equal((await page(url)).status, 404, url);
});

test('staff see the name and email that a guest entered, and that the guest has no account', async () => {
  const { token } = await h.member(shop.businessId, 'CUSTOMER_READ', 'CUSTOMER_WRITE');
  const list = (query: string) => h.call('GET', `${shop.base}/customers?${query}`, { token });
  const address = { name: 'Grace Guest', country: 'US' };
  for (const typed of [{ name: 'Grace Guest' }, { shippingAddress: address }, { billingAddress: address }]) {
    const { guest } = await orderAsGuest('grace@example.com', typed);
    const [customer] = (await list(`userId=${guest.userId}`)).body.items as Json[];
    assert.deepEqual(
      { name: customer!.name, email: customer!.email, hasAccount: customer!.hasAccount },
      { name: 'Grace Guest', email: 'grace@example.com', hasAccount: false },
    );
  }
  const [known] = (await list(`userId=${(await buyer()).userId}`)).body.items as Json[];
  assert.equal(known!.hasAccount, true);
});

async function buyer() {
  const customer = await h.user();
  await shop.checkout(await shop.product(), { token: customer.token });
  return customer;
}

test('an email entered by a guest is not linked to a customer record: two guests and a customer can share it, and staff can edit each', async () => {
  const { token } = await h.member(shop.businessId, 'CUSTOMER_READ', 'CUSTOMER_WRITE');
  const email = 'shared@example.com';
  const { guest } = await orderAsGuest(email);
  await orderAsGuest(email);
  const created = await h.call('POST', `${shop.base}/customers`, { token, body: { email } });
  assert.equal(created.status, 200);
  const { body } = await h.call('GET', `${shop.base}/customers?userId=${guest.userId}`, { token });
  const { id } = body.items[0]!;
  const edited = await h.call('PUT', `${shop.base}/customers/${id}`, { token, body: { email, note: 'Called' } });
  assert.equal(edited.status, 200, JSON.stringify(edited.body));
  assert.equal(edited.body.email, email);
});

test('erasing a guest removes the name and email they entered', async () => {
  const { guest } = await orderAsGuest('erased.guest@example.com');
  const { token } = await h.member(shop.businessId, 'ADMIN');
  await h.drain();
  const erasure = await h.call('DELETE', `${shop.base}/customers/${guest.userId}/personal-data`, { token });
  assert.equal(erasure.status, 200, JSON.stringify(erasure.body));
  await h.drain();
  for (const table of ['customers', 'events', 'orders']) {
    const rows = await h.pool<{ text: string }[]>`
      select t::text as text from ${h.pool([table])} t where business_id = ${shop.businessId}`;
    assert.ok(!rows.some(({ text }) => text.includes('erased.guest')), table);
  }
});

test('an export leaves out emails that guests entered, because several guests may share one', async () => {
  const { guest } = await orderAsGuest('exported.guest@example.com');
  const { token } = await h.member(shop.businessId, 'ADMIN');
  const { body } = await h.call('GET', `${shop.base}/customers?userId=${guest.userId}`, { token });
  const response = await fetch(`${h.url}${shop.base}/exports?type=customers&format=ndjson`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const rows = (await response.text()).trim().split('\n');
  const row = JSON.parse(rows.find((each) => each.includes(body.items[0]!.id))!);
  assert.deepEqual([row.name, row.email, row.hasAccount], ['Grace Guest', null, undefined]);
});
