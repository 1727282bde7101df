import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import type { FindRelatedUsers } from '../../src/domains/accounts/profile/search-users.ts';
import { type BusinessServices, importRole, recordCustomer } from '../../src/domains/businesses/index.ts';
import { shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';

const h = await shareHarness();
const second = await h.secondNode();

async function shop() {
  const owner = await h.user();
  const { body } = await h.call('POST', '/v1/businesses', { token: owner.token, body: { name: 'Shop' } });
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${body.id}`, { token: owner.token });
  const roleId = (name: string): string => roles.items.find((role) => role.name === name)!.id;
  const setRole = (token: string, userId: string, role: string | null) =>
    h.call('PUT', '/v1/users/set-role', { token, body: { userId, roleId: role, businessId: body.id } });
  return { owner, businessId: body.id as string, roleId, setRole, path: `/v1/businesses/${body.id}` as const };
}

const rename = <P extends string>(path: P, token: string, call = h.call) =>
  call('PUT', path, { token, body: { name: 'Renamed' } }).then((response) => response.status);

test('a role grants its permissions immediately, and changes reach every node', async () => {
  const { owner, businessId, setRole, path } = await shop();
  const clerk = await h.user();
  const created = await h.call('POST', '/v1/roles', {
    token: owner.token,
    body: { businessId, name: 'CLERK', permissions: ['BUSINESS_WRITE', 'BUSINESS_WRITE'] },
  });
  assert.deepEqual(created.body.permissions, ['BUSINESS_WRITE']);
  assert.equal(await rename(path, clerk.token), 403);
  const { body: user } = await setRole(owner.token, clerk.userId, created.body.id);
  assert.deepEqual([user.id, user.roleIds], [clerk.userId, [created.body.id]]);
  assert.equal(await rename(path, clerk.token), 200);
  assert.equal(await rename(path, clerk.token, second.call), 200);

  const put = { token: owner.token, body: { permissions: ['ORDER_READ'] } };
  assert.equal((await h.call('PUT', `/v1/roles/${created.body.id}`, put)).status, 200);
  assert.equal(await rename(path, clerk.token), 403);
  while ((await rename(path, clerk.token, second.call)) !== 403);
  assert.equal((await setRole(owner.token, clerk.userId, null)).body.roleIds.length, 0);
});

test('an import that removes permissions from a role removes them from its members immediately', async () => {
  const { owner, businessId, setRole, path } = await shop();
  const clerk = await h.user();
  const body = { businessId, name: 'CLERK', permissions: ['BUSINESS_WRITE'] };
  const { body: role } = await h.call('POST', '/v1/roles', { token: owner.token, body });
  await setRole(owner.token, clerk.userId, role.id);
  assert.equal(await rename(path, clerk.token), 200);
  const system = (h.service.contexts.system() as Steps<BusinessServices>).within(businessId);
  const imported = { name: 'CLERK', permissions: ['ORDER_READ'] };
  assert.equal(await system.transaction((ctx) => importRole(ctx, imported)), 'UPDATED');
  assert.equal(await rename(path, clerk.token), 403);
});

test('only an ADMIN can assign roles, and only roles of their own business', async () => {
  const mine = await shop();
  const other = await shop();
  const user = await h.user();
  assert.equal((await mine.setRole(other.owner.token, user.userId, mine.roleId('ADMIN'))).status, 403);
  assert.equal((await mine.setRole(mine.owner.token, user.userId, other.roleId('ADMIN'))).status, 404);
  assert.equal((await mine.setRole(mine.owner.token, 'usr_nobody', mine.roleId('ADMIN'))).status, 404);
  const guest = await h.guest();
  assert.equal((await mine.setRole(mine.owner.token, guest.userId, mine.roleId('EDITOR'))).status, 422);
  const nowhere = { userId: user.userId, roleId: mine.roleId('EDITOR'), businessId: 'biz_nowhere' };
  assert.equal((await h.call('PUT', '/v1/users/set-role', { token: mine.owner.token, body: nowhere })).status, 404);
  const missing = { userId: user.userId, businessId: mine.businessId };
  assert.equal((await h.call('PUT', '/v1/users/set-role', { token: mine.owner.token, body: missing })).status, 422);

  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { name: 'x' } : undefined;
    const path = `/v1/roles/${mine.roleId('EDITOR')}` as const;
    assert.equal((await h.call(method, path, { token: other.owner.token, body })).status, 404, method);
  }
  await mine.setRole(mine.owner.token, user.userId, mine.roleId('EDITOR'));
  assert.equal((await h.call('GET', `/v1/roles/${mine.roleId('EDITOR')}`, { token: user.token })).status, 403);
  const list = await h.call('GET', `/v1/roles?businessId=${mine.businessId}`, { token: user.token });
  assert.equal(list.status, 403);
  const body = { businessId: mine.businessId, name: 'x', permissions: ['ADMIN'] };
  assert.equal((await h.call('POST', '/v1/roles', { token: user.token, body })).status, 403);
  const unknown = { ...body, permissions: ['EVERYTHING'] };
  assert.equal((await h.call('POST', '/v1/roles', { token: mine.owner.token, body: unknown })).status, 422);
});

test('an ADMIN who is removed while their request waits for the lock changes no role, member, invitation or setting', async () => {
  const { owner, businessId, roleId, setRole, path } = await shop();
  const { userId, token } = await h.user();
  const body = { email: 'guest@example.com', roleIds: [roleId('EDITOR')] };
  const { body: invitation } = await h.call('POST', `${path}/invitation`, { token: owner.token, body });
  const role = { businessId, name: 'Back door', permissions: ['ADMIN'] };
  const requests = {
    'set-role': () => setRole(token, userId, roleId('ADMIN')),
    'create role': () => h.call('POST', '/v1/roles', { token, body: role }),
    'change role': () =>
      h.call('PUT', `/v1/roles/${roleId('EDITOR')}`, { token, body: { permissions: role.permissions } }),
    'delete role': () => h.call('DELETE', `/v1/roles/${roleId('EDITOR')}`, { token }),
    invite: () => h.call('POST', `${path}/invitation`, { token, body: { ...body, email: 'friend@example.com' } }),
    'change business': () => h.call('PUT', path, { token, body: { name: 'Mine' } }),
    'delete business': () => h.call('DELETE', path, { token }),
    'revoke invitation': () => h.call('DELETE', `${path}/invitation/${invitation.id}`, { token }),
  };
  for (const [name, send] of Object.entries(requests)) {
    assert.equal((await setRole(owner.token, userId, roleId('ADMIN'))).status, 200);
    const { sent } = await h.pool.transaction(async (tx) => {
      await tx`select from businesses where id = ${businessId} for update`;
      const sent = send();
      await whenWaitingForLock(h.pool, sent);
      await tx`delete from members where business_id = ${businessId} and user_id = ${userId}`;
      return { sent };
    });
    assert.equal((await sent).status, 403, name);
  }
});

test('roleIds replaces all roles at once, and the email of a member who has acted at the business stays visible', async () => {
  const { owner, businessId, roleId, path } = await shop();
  const user = await h.user();
  const set = (roleIds: string[], userId = user.userId) =>
    h.call('PUT', '/v1/users/set-role', { token: owner.token, body: { userId, roleIds, businessId } });
  const both = [roleId('EDITOR'), roleId('SUPPORT')].sort();
  assert.deepEqual((await set([...both, both[0]!])).body.roleIds.sort(), both);
  assert.equal((await h.call('GET', `${path}/customers`, { token: user.token })).status, 200);
  const swapped = await set([roleId('ADMIN')]);
  assert.deepEqual([swapped.body.roleIds, swapped.body.email], [[roleId('ADMIN')], user.email]);
  assert.equal((await set([roleId('EDITOR'), 'role_unknown'])).status, 404);
  assert.equal((await set([roleId('EDITOR')], owner.userId)).status, 200, 'there is another ADMIN');
  const last = { token: user.token, body: { userId: user.userId, roleIds: [], businessId } };
  assert.equal((await h.call('PUT', '/v1/users/set-role', last)).status, 409);

  const sentBack = { ...swapped.body, userId: owner.userId, roleId: roleId('SUPPORT'), businessId };
  const added = await h.call('PUT', '/v1/users/set-role', { token: user.token, body: sentBack });
  assert.deepEqual(added.body.roleIds.sort(), both, 'roleId takes precedence');
  const guest = await h.guest();
  const asGuest = { userId: guest.userId, roleIds: [roleId('EDITOR')] };
  assert.equal((await h.call('PUT', '/v1/users/set-role', { token: user.token, body: asGuest })).status, 422);
});

test('businessId is optional when the role or the caller determines the business', async () => {
  const { owner, businessId, roleId } = await shop();
  const user = await h.user();
  const set = (role: string | null, token = owner.token) =>
    h.call('PUT', '/v1/users/set-role', { token, body: { userId: user.userId, roleId: role } });
  assert.deepEqual((await set(roleId('EDITOR'))).body.roleIds, [roleId('EDITOR')]);
  assert.equal((await set(null)).body.details[0]!.field, 'businessId');
  assert.equal((await set(roleId('EDITOR'), (await shop()).owner.token)).status, 404, 'ADMIN of another business');
  assert.equal((await set(roleId('ADMIN'), user.token)).status, 404, 'an EDITOR');

  const make = (token: string) =>
    h.call('POST', '/v1/roles', { token, body: { name: 'CLERK', permissions: ['CUSTOMER_READ'] } });
  assert.equal((await make(owner.token)).body.businessId, businessId);
  assert.equal((await make(user.token)).status, 422);
  await h.call('POST', '/v1/businesses', { token: owner.token, body: { name: 'Second' } });
  assert.equal((await make(owner.token)).body.details[0]!.field, 'businessId');
});

test('listed roles have ETags, and a cursor works only for its own business', async () => {
  const [mine, other] = [await shop(), await shop()];
  const list = (query: string, { token } = mine.owner) => h.call('GET', `/v1/roles?${query}`, { token });
  const { body } = await list(`businessId=${mine.businessId}&limit=2`);
  const { id, etag } = body.items[0]!;
  assert.equal((await h.call('GET', `/v1/roles/${id}`, { token: mine.owner.token })).headers.get('etag'), etag);
  assert.equal((await list(`businessId=${mine.businessId}&cursor=${body.cursor}`)).body.items.length, 1);
  assert.equal((await list(`businessId=${other.businessId}&cursor=${body.cursor}`, other.owner)).status, 400);
});

test('the last ADMIN cannot be removed by set-role, by changing the role or by deleting it', async () => {
  const { owner, roleId, setRole } = await shop();
  const path = `/v1/roles/${roleId('ADMIN')}` as const;
  const token = owner.token;
  assert.equal((await setRole(token, owner.userId, null)).status, 409);
  assert.equal((await h.call('PUT', path, { token, body: { permissions: [] } })).status, 409);
  assert.equal((await h.call('DELETE', path, { token })).status, 409);
  assert.equal((await h.call('GET', path, { token })).status, 200);
});

test('when two ADMINs remove each other at the same time, one remains', async () => {
  for (let round = 0; round < 5; round++) {
    const { owner, businessId, roleId, setRole } = await shop();
    const peer = await h.user();
    await setRole(owner.token, peer.userId, roleId('ADMIN'));
    const responses = await Promise.all([
      setRole(owner.token, peer.userId, null),
      setRole(peer.token, owner.userId, null),
    ]);
    assert.ok(responses.some((response) => response.status !== 200));
    assert.equal((await h.pool`select from members where business_id = ${businessId}`).length, 1);
  }
});

test('user search returns only people of the business, without their private data', async () => {
  const { owner, businessId, roleId, setRole, path } = await shop();
  const elsewhere = await shop();
  const member = await h.user();
  const customer = await h.user();
  const subscriber = await h.user();
  const stranger = await h.user();
  const { accounts } = h.service;
  for (const { userId, email } of [customer, subscriber]) {
    const related: FindRelatedUsers = (db, ids) => db`select ${userId} where ${businessId} = any(${ids})`;
    Object.assign(accounts, { relatedUsers: [...accounts.relatedUsers, related] });
    const ctx = h.service.contexts.system().within(businessId);
    await ctx.transaction(async (tx) =>
      recordCustomer(tx, { userId, email, name: '', isGuest: false, isConfirmed: true }),
    );
  }
  await setRole(owner.token, member.userId, roleId('SUPPORT'));
  await h.call('GET', `${path}/customers`, { token: member.token });
  await elsewhere.setRole(elsewhere.owner.token, member.userId, elsewhere.roleId('EDITOR'));
  await h.call('PUT', '/v1/users', {
    token: member.token,
    body: { phoneNumbers: ['+4915112345678'], apiTokens: [{ id: 'k', value: 'a-key-of-the-member' }] },
  });

  const search = async (query: string, token = owner.token) => {
    const { body, status } = await h.call('GET', `/v1/users/search?${query}`, { token });
    return status === 200 ? body.items.map((user) => user.id).sort() : status;
  };
  const everyone = [owner, member, customer, subscriber].map(({ userId }) => userId).sort();
  assert.deepEqual(await search(`businessId=${businessId}`), everyone);
  assert.deepEqual(await search(''), everyone);
  assert.deepEqual(await search(`query=${member.email!.slice(0, 12).toUpperCase()}`), [member.userId]);
  assert.deepEqual(await search('query=%25'), [], 'a wildcard is taken literally');
  assert.deepEqual(await search(`roleIds=${roleId('SUPPORT')},${roleId('EDITOR')}`), [member.userId]);
  assert.deepEqual(await search(`query=${stranger.email}`), []);
  assert.equal(await search(`businessId=${businessId}`, elsewhere.owner.token), 403);
  assert.equal(await search('businessId=biz_nowhere'), 404);
  assert.equal(await search('', stranger.token), 403);

  const { body } = await h.call('GET', `/v1/users/search?query=${member.email}`, { token: owner.token });
  const [seen] = body.items;
  assert.deepEqual([seen!.roleIds, seen!.phoneNumbers, seen!.apiTokens], [[roleId('SUPPORT')], [], []]);

  const first = await h.call('GET', '/v1/users/search?limit=3', { token: owner.token });
  const rest = await h.call('GET', `/v1/users/search?limit=3&cursor=${first.body.cursor}`, { token: owner.token });
  assert.deepEqual([first.body.items.length, rest.body.items.length, rest.body.cursor], [3, 1, null]);
});

test('a page of users has a byte limit, even if users have large settings', async () => {
  const { owner, businessId } = await shop();
  const configs = [businessId, 'biz_other'].map((id) => ({ businessId: id, settings: { text: 'x'.repeat(300_000) } }));
  for (let i = 0; i < 9; i++) {
    const { userId } = await h.member(businessId, 'ORDER_READ');
    await h.pool`update users set business_user_configs = ${h.pool.json(configs)} where id = ${userId}`;
    await h.pool`update members set used_at = 1 where business_id = ${businessId} and user_id = ${userId}`;
  }
  const { body } = await h.call('GET', `/v1/users/search?businessId=${businessId}`, { token: owner.token });
  assert.deepEqual(
    body.items.map((user) => user.businessUserConfigs),
    Array(6).fill([configs[0]]),
  );
  assert.notEqual(body.cursor, null);
});
