import assert from 'node:assert/strict';
import test from 'node:test';
import { newEmail } from '../accounts/people.ts';
import { type Json, shareHarness } from '../harness.ts';
import { ok } from '../newsletters/fixture.ts';
import { createPersonalData, openBusiness, PERSONAL_DATA, register } from './person.ts';

const h = await shareHarness();

test('a user exports all of their data, and a business only the data it holds', async () => {
  const [mine, theirs] = [await openBusiness(h), await openBusiness(h)];
  const ada = await register(h, newEmail());
  const { orderId, customerId } = await createPersonalData(h, mine, ada);
  await createPersonalData(h, theirs, ada);
  await openBusiness(h);

  const own = await ok(h.call('GET', '/v1/users/me/export', { token: ada.token }));
  assert.equal(own.account.user.name, PERSONAL_DATA.name);
  assert.equal(own.account.sessions.length, 1);
  assert.ok(own.events.some(({ type }: Json) => type === 'user.login'));
  assert.deepEqual(
    own.businesses.map(({ business }: Json) => business.id).sort(),
    [mine.businessId, theirs.businessId].sort(),
  );
  const [share] = own.businesses.filter(({ business }: Json) => business.id === mine.businessId);
  const order = share.orders.find(({ id }: Json) => id === orderId);
  assert.equal(order.blocks[1].value, PERSONAL_DATA.gift);
  assert.equal(order.entries[0].blocks[0].value, PERSONAL_DATA.note);
  assert.equal(share.subscriptions[0].consent.source, 'DOUBLE_OPT_IN');
  assert.match(share.subscriptions[0].consent.text, new RegExp(ada.email));
  assert.ok(share.customers.some(({ phone }: Json) => phone === PERSONAL_DATA.phone));
  assert.equal(share.deliveries[0].email, ada.email);
  assert.equal(JSON.stringify(own).includes('password'), false);

  const part = await ok(
    h.call('GET', `${mine.base}/customers/${customerId}/personal-data`, { token: mine.admin.token }),
  );
  assert.deepEqual(part, share);
  assert.equal(JSON.stringify(part).includes(theirs.businessId), false);
  const byUser = await ok(
    h.call('GET', `${mine.base}/customers/${ada.userId}/personal-data`, { token: mine.admin.token }),
  );
  assert.deepEqual(byUser, share);
  const stranger = await h.call('GET', `${mine.base}/customers/${(await h.user()).userId}/personal-data`, {
    token: mine.admin.token,
  });
  assert.equal(stranger.status, 404);
});

test('an export of hundreds of orders contains each order once', async () => {
  const business = await openBusiness(h);
  const ada = await register(h, newEmail());
  const { orderId } = await createPersonalData(h, business, ada);
  await h.pool`
    insert into orders (business_id, id, number, status, payment_status, customer_id, holds, doc, doc_bytes, total, market, currency, is_abandoned, created_at, updated_at)
    select business_id, id || n, number + n + 1, status, payment_status, customer_id, holds, doc, doc_bytes, total, market, currency, is_abandoned, created_at, updated_at
    from orders, generate_series(1, 220) n where business_id = ${business.businessId} and id = ${orderId}`;
  const { businesses } = await ok(h.call('GET', '/v1/users/me/export', { token: ada.token }));
  assert.equal(new Set(businesses[0].orders.map(({ id }: Json) => id)).size, 222);
  assert.equal(businesses[0].orders.length, 222);
  await ok(h.call('DELETE', '/v1/users/me', { token: ada.token }));
  await h.drain();
  const [left] = await h.pool<{ count: number }[]>`
    select count(*)::int as count from orders where business_id = ${business.businessId}
      and (customer_email is not null or doc ->> 'blocks' <> '[]')`;
  assert.equal(left!.count, 0);
});

test('exports are rate limited per user', async () => {
  const { token } = await h.user();
  for (let i = 0; i < 20; i++) assert.equal((await h.call('GET', '/v1/users/me/export', { token })).status, 200);
  assert.equal((await h.call('GET', '/v1/users/me/export', { token })).status, 429);
});
