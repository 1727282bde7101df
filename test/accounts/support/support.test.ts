import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';

const h = await shareHarness();
const second = await h.secondNode();
const businessId = await h.business();
const admin = await h.member(businessId, 'ADMIN');
const base = `/v1/businesses/${businessId}` as const;

async function customer() {
  const user = await h.user();
  const { body } = await h.call('POST', `${base}/customers`, { token: admin.token, body: { email: user.email! } });
  await h.pool`update customers set user_id = ${user.userId} where business_id = ${businessId} and id = ${body.id}`;
  return { ...user, id: body.id };
}
const begin = (id: string, token = admin.token) => h.call('POST', `${base}/customers/${id}/support-session`, { token });

test('a support session reads what the customer sees in this business, and nothing else', async () => {
  const { id, userId } = await customer();
  const { status, body } = await begin(id);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.userId, body.supportBy, body.businessId], [userId, admin.userId, businessId]);
  const token = body.accessToken;
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  assert.deepEqual([claims.sub, claims.act, claims.provider], [userId, { sub: admin.userId }, 'SUPPORT']);
  assert.equal((await h.call('GET', `${base}/orders`, { token })).status, 200);

  const other = await h.business();
  assert.equal((await h.call('GET', `/v1/businesses/${other}/orders`, { token })).status, 403);
  for (const path of ['/v1/users/me/export', '/v1/users/sessions', '/v1/users/me/audit']) {
    assert.equal((await h.call('GET', path, { token })).status, 403, path);
  }
});

test('a support session cannot write on any route', async () => {
  const { id } = await customer();
  const token = (await begin(id)).body.accessToken;
  const writes = h.service.app.routeList.filter(({ method, access }) => method !== 'GET' && access !== 'public');
  assert.ok(writes.length > 80);
  for (const { method, url } of writes) {
    const path = url.replaceAll(':businessId', businessId).replaceAll(/:\w+/g, 'none');
    const { status } = await h.call(method, path, { token, body: {} });
    assert.equal(status, 403, `${method} ${url}`);
  }
});

test('a support session ends on every process at logout, when an ADMIN ends it, and after 30 minutes', async () => {
  const { id } = await customer();
  const statusAt = async (token: string, call = h.call) => (await call('GET', `${base}/orders`, { token })).status;
  const [first, other, third] = [(await begin(id)).body, (await begin(id)).body, (await begin(id)).body];
  for (const { accessToken } of [first, other]) assert.equal(await statusAt(accessToken, second.call), 200);
  await h.call('POST', '/v1/users/logout', { token: first.accessToken });
  await h.call('DELETE', `${base}/support-sessions/${other.id}`, { token: admin.token });
  for (const { accessToken } of [first, other]) {
    const isEnded = async () => ((await statusAt(accessToken, second.call)) === 401 ? true : null);
    await eventually('the other process refuses the token', isEnded, 1000);
  }
  assert.equal(await statusAt(third.accessToken), 200);
  h.clock.advance(1801);
  assert.equal(await statusAt(third.accessToken), 401);
});

test('a support session ends when the ADMIN who started it loses the role', async () => {
  const { id } = await customer();
  const other = await h.member(businessId, 'ADMIN');
  const token = (await begin(id, other.token)).body.accessToken;
  const statusAt = async (call: typeof h.call) => (await call('GET', `${base}/orders`, { token })).status;
  assert.deepEqual([await statusAt(h.call), await statusAt(second.call)], [200, 200]);
  const removed = { userId: other.userId, businessId, roleId: null };
  await h.call('PUT', '/v1/users/set-role', { token: admin.token, body: removed });
  for (const call of [h.call, second.call]) {
    await eventually('the process refuses the token', async () => (await statusAt(call)) === 401 || null, 2000);
  }
});

test('the start and end of a support session are events with the IDs of the admin and the customer', async () => {
  const { id, userId } = await customer();
  const session = (await begin(id)).body;
  await h.call('POST', '/v1/users/logout', { token: session.accessToken });
  await h.numberEvents(businessId);
  const events = await h.pool<{ type: string; data: { userId: string; supportBy: string } }[]>`
    select type, data from events where business_id = ${businessId} and entity = ${`user:${userId}`} order by position`;
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.userId, data.supportBy]),
    [
      ['support.started', userId, admin.userId],
      ['support.ended', userId, admin.userId],
    ],
  );
});

test('a support session can’t view an active member of any business, and only an ADMIN who logged in can start one', async () => {
  const staff = await customer();
  const elsewhere = await h.business();
  const role = await h.call('POST', '/v1/roles', {
    token: (await h.member(elsewhere, 'ADMIN')).token,
    body: { businessId: elsewhere, name: 'Staff', permissions: ['ORDER_READ'] },
  });
  await h.pool`insert into members (business_id, user_id, role_id) values (${elsewhere}, ${staff.userId}, ${role.body.id})`;
  assert.equal((await begin(staff.id)).status, 200, 'another business only assigned a role');
  await h.pool`update members set used_at = 1 where user_id = ${staff.userId}`;
  assert.equal((await begin(staff.id)).status, 403);

  const { id } = await customer();
  const support = await h.member(businessId, 'CUSTOMER_READ', 'CUSTOMER_WRITE');
  assert.equal((await begin(id, support.token)).status, 403);
  const { body } = await h.call('PUT', '/v1/users/update', {
    token: admin.token,
    body: { apiTokens: [{ name: 'CI' }] },
  });
  assert.equal((await begin(id, body.apiTokens[0]!.value)).status, 403);
});
