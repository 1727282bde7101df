/** A business sees only the ID of a user until the user has acted there. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import { filterUsersWithActivity, recordCustomer } from '../../src/domains/businesses/index.ts';
import { type Json, shareHarness, type TestUser } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await shareHarness();

async function open() {
  const shop = await openShop(h);
  const admin = await h.member(shop.businessId, 'ADMIN');
  const editor = await h.call('POST', '/v1/roles', {
    token: admin.token,
    body: { businessId: shop.businessId, name: 'EDITOR', permissions: ['PROMO_WRITE'] },
  });
  const setRole = async ({ userId }: TestUser) => {
    const body = { userId, roleId: editor.body.id, businessId: shop.businessId };
    return (await h.call('PUT', '/v1/users/set-role', { token: admin.token, body })).body as Json;
  };
  const search = async (query: string) =>
    (await h.call('GET', `/v1/users/search?businessId=${shop.businessId}&${query}`, { token: admin.token })).body.items;
  return { ...shop, admin, roleId: editor.body.id as string, setRole, search };
}

const mailsTo = async ({ email }: TestUser) => {
  await h.drain('order-tasks');
  return (await h.mailbox()).filter((message) => message.to === email).length;
};

test('set-role and search return only the ID and roles of a user who has not used the role yet', async () => {
  const { base, roleId, setRole, search } = await open();
  const stranger = await h.user();
  const given = await setRole(stranger);
  assert.deepEqual(Object.keys(given).sort(), ['id', 'roleIds', 'roles']);
  assert.deepEqual([given.id, given.roleIds], [stranger.userId, [roleId]]);
  assert.deepEqual(await search(`query=${stranger.email}`), [], 'guessing the email finds no one');
  const [seen] = await search(`query=${stranger.userId}`);
  assert.deepEqual(Object.keys(seen!).sort(), ['id', 'roleIds', 'roles']);

  await h.call('GET', `${base}/products`, { token: stranger.token });
  assert.equal(
    (await search(`query=${stranger.email}`)).length,
    0,
    'a request that any token may make does not use the role',
  );
  await h.call('GET', `${base}/promo-codes`, { token: stranger.token });
  const [known] = await search(`query=${stranger.email}`);
  assert.deepEqual([known!.id, known!.name, known!.email], [stranger.userId, 'Ada', stranger.email]);
  assert.equal((await setRole(stranger)).email, stranger.email);
});

test('listing all orders counts as using the role; listing your own does not', async () => {
  const { base, businessId } = await open();
  const ctx = h.service.contexts.system().within(businessId);
  const [reader, other] = [await h.member(businessId, 'ORDER_READ'), await h.member(businessId, 'PROMO_WRITE')];
  await h.pool`update members set used_at = null where user_id in (${reader.userId}, ${other.userId})`;
  for (const { token } of [reader, other]) await h.call('GET', `${base}/orders`, { token });
  assert.deepEqual(await filterUsersWithActivity(ctx, [reader.userId, other.userId]), new Set([reader.userId]));
});

test('a role that is removed and assigned again has to be used again', async () => {
  const { base, businessId, admin, setRole } = await open();
  const member = await h.user();
  await setRole(member);
  await h.call('GET', `${base}/promo-codes`, { token: member.token });
  const body = { userId: member.userId, roleId: null, businessId };
  await h.call('PUT', '/v1/users/set-role', { token: admin.token, body });
  assert.equal((await setRole(member)).email, undefined);
  await h.call('GET', `${base}/promo-codes`, { token: member.token });
  assert.equal((await setRole(member)).email, member.email);
});

test('a manual order for a stranger sends no email and reveals nothing until they have ordered themselves', async () => {
  const shop = await open();
  const stranger = await h.user();
  const product = await shop.product();
  const lines = [{ type: 'PRODUCT_VARIANT', productId: product, variantId: 'main', quantity: 1 }];
  const order = async () => {
    const body = { customerId: stranger.userId, market: 'us', currency: 'usd', lines };
    const { body: created } = await h.call('POST', `${shop.base}/orders`, { token: shop.staff.token, body });
    for (const status of ['PROCESSING', 'SHIPPED']) {
      await h.call('PUT', `${shop.base}/orders/${created.id}/status`, { token: shop.staff.token, body: { status } });
    }
    return created;
  };
  const found = async () =>
    (await h.call('GET', `${shop.base}/orders?query=${stranger.email}`, { token: shop.staff.token })).body.items.length;
  const created = await order();
  const back = { id: created.id, customerId: shop.staff.userId };
  await h.call('PUT', `${shop.base}/orders/update`, { token: shop.staff.token, body: back });
  const again = { id: created.id, customerId: stranger.userId };
  await h.call('PUT', `${shop.base}/orders/update`, { token: shop.staff.token, body: again });
  assert.deepEqual([await mailsTo(stranger), await found()], [0, 0]);
  const [seen] = await shop.search(`query=${stranger.userId}`);
  assert.deepEqual(Object.keys(seen!).sort(), ['id', 'roleIds', 'roles']);

  assert.equal((await shop.checkout(product, { token: stranger.token, paymentMethod: 'CASH' })).status, 200);
  await order();
  assert.deepEqual([await mailsTo(stranger), await found()], [3, 2]);
  assert.equal((await shop.search(`query=${stranger.email}`))[0]!.name, 'Ada');
});

test('subscribing your own email address counts as interacting with the business; subscribing someone else’s does not', async () => {
  const { base, businessId } = await open();
  const editor = await h.member(businessId, 'CONTENT_WRITE');
  const { body: newsletter } = await h.call('POST', `${base}/collections`, {
    token: editor.token,
    body: {
      name: 'Letters',
      type: 'NEWSLETTER',
      statuses: [{ status: 'PUBLISHED' }],
      plans: [{ id: 'free', name: 'Free' }],
    },
  });
  const [reader, other] = [await h.user(), await h.user()];
  const subscribe = (token: string, email: string | null) =>
    h.call('POST', `${base}/collections/${newsletter.id}/subscribe`, { token, body: { email, planId: 'free' } });
  assert.equal((await subscribe(reader.token, reader.email)).status, 200);
  assert.equal((await subscribe(reader.token, other.email)).status, 200);
  const ctx = h.service.contexts.system().within(businessId);
  assert.deepEqual(await filterUsersWithActivity(ctx, [reader.userId, other.userId]), new Set([reader.userId]));
});

test('a reference to a USER must name a member or a user who has acted at the business', async () => {
  const { base, businessId, setRole, checkout, product } = await open();
  const editor = await h.member(businessId, 'CONTENT_WRITE');
  const blocks = [{ id: 'author', type: 'RELATIONSHIP', settings: { targetType: 'USER' } }];
  const { body: posts } = await h.call('POST', `${base}/collections`, {
    token: editor.token,
    body: { name: 'Posts', blocks },
  });
  const write = async (value: string) => {
    const body = { collectionId: posts.id, blocks: [{ id: 'author', type: 'RELATIONSHIP', value }] };
    return (await h.call('POST', `${base}/entries`, { token: editor.token, body })).status;
  };
  const [member, customer, stranger] = [await h.user(), await h.user(), await h.user()];
  await setRole(member);
  await checkout(await product(), { token: customer.token, paymentMethod: 'CASH' });
  assert.equal(await write(member.userId), 200);
  assert.equal(await write(customer.userId), 200);
  assert.equal(await write(stranger.userId), 422);
});

test('repeated and concurrent actions create one customer, and a record with the same email is linked to it', async () => {
  const businessId = await h.business();
  const ctx: Steps = h.service.contexts.system().within(businessId);
  const { userId, email } = await h.user();
  const act = (account: { userId: string; email: string }) =>
    ctx.transaction(async (tx) => recordCustomer(tx, { ...account, name: '', isGuest: false, isConfirmed: true }));
  await h.pool`insert into customers (business_id, id, email, email_key, created_at, updated_at)
    values (${businessId}, 'cust_1', ${email}, ${email}, 1, 1)`;
  await Promise.all(Array.from({ length: 5 }, () => act({ userId, email: email!.toUpperCase() })));
  const rows = () =>
    h.pool`select id, user_id, email from customers where business_id = ${businessId} order by created_at`;
  assert.deepEqual([...(await rows())], [{ id: 'cust_1', userId, email }]);

  // Another account with the same email does not take over the record.
  const other = await h.user();
  await act({ userId: other.userId, email: email! });
  assert.deepEqual((await rows())[1], { ...(await rows())[1], userId: other.userId, email: null });
});
