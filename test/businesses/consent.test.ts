/** A role is offered until its holder acts: an ADMIN can assign one to anyone. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness, type TestUser } from '../harness.ts';

const h = await shareHarness();

/** A business whose owner has assigned ADMIN to a stranger. */
async function assigned() {
  const [owner, stranger] = [await h.user(), await h.user()];
  const { body } = await h.call('POST', '/v1/businesses', { token: owner.token, body: { name: 'Shop' } });
  const businessId = body.id as string;
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${businessId}`, { token: owner.token });
  const roleId = (name: string): string => roles.items.find((role) => role.name === name)!.id;
  const setRole = (by: TestUser, { userId }: TestUser, role: string | null) =>
    h.call('PUT', '/v1/users/set-role', { token: by.token, body: { userId, businessId, roleId: role } });
  const { body: given } = await setRole(owner, stranger, roleId('ADMIN'));
  assert.deepEqual([given.id, given.roleIds], [stranger.userId, [roleId('ADMIN')]]);
  const mine = `/v1/businesses/${businessId}/members/me` as const;
  const leave = ({ token }: TestUser) => h.call('DELETE', mine, { token });
  const accept = ({ token }: TestUser) => h.call('PUT', mine, { token });
  return { owner, stranger, businessId, roleId, setRole, leave, accept };
}
const remove = ({ token }: TestUser) => h.call('DELETE', '/v1/users/me', { token, body: {} });
const businessesOf = async ({ token }: TestUser) =>
  (await h.call('GET', '/v1/businesses', { token })).body.items.map(({ id }) => id);
/** The names of the roles, each with whether it is pending. */
async function rolesOf({ token }: TestUser) {
  const { roles, pendingRoleIds = [] } = (await h.call('GET', '/v1/users/me', { token })).body;
  return roles.map(({ id, name }) => [name, pendingRoleIds.includes(id)]);
}

test('a role that was only assigned makes the business not theirs, and does not keep them from deleting the account', async () => {
  const { owner, stranger, leave, setRole } = await assigned();
  assert.equal((await setRole(owner, owner, null)).status, 409);
  assert.deepEqual(await rolesOf(stranger), [['ADMIN', true]]);
  assert.deepEqual(await businessesOf(stranger), []);
  assert.equal((await leave(owner)).status, 409, 'a role that was only assigned is no successor');
  const refused = await remove(owner);
  assert.deepEqual([refused.status, /only admin of "Shop"/.test(refused.body.message ?? '')], [409, true]);
  assert.equal((await remove(stranger)).status, 200);
});

test('a pending role is accepted by acting in the business or explicitly, and declined by leaving', async () => {
  const { owner, stranger, businessId, leave, accept, setRole, roleId } = await assigned();
  assert.equal((await accept(stranger)).status, 200);
  assert.deepEqual([await rolesOf(stranger), await businessesOf(stranger)], [[['ADMIN', false]], [businessId]]);
  assert.equal((await leave(owner)).status, 200, 'there is another ADMIN who has accepted');
  assert.equal((await leave(owner)).status, 404);
  assert.equal((await accept(owner)).status, 404);

  const [acting, declining] = [await h.user(), await h.user()];
  for (const user of [acting, declining]) await setRole(stranger, user, roleId('SUPPORT'));
  await h.call('GET', `/v1/businesses/${businessId}/customers`, { token: acting.token });
  assert.deepEqual([await rolesOf(acting), await businessesOf(acting)], [[['SUPPORT', false]], [businessId]]);
  assert.equal((await leave(declining)).status, 200);
  assert.deepEqual(await rolesOf(declining), []);
});

test('the last ADMIN who has accepted the role can leave only after another one has accepted', async () => {
  const { owner, stranger, leave, accept } = await assigned();
  const { status, body } = await leave(owner);
  assert.deepEqual([status, /Make someone else an admin.*or delete/.test(body.message ?? '')], [409, true]);
  await accept(stranger);
  const results = await Promise.all([leave(owner), leave(stranger)]);
  assert.deepEqual(results.map((each) => each.status).sort(), [200, 409]);
});

test('an active member who is made ADMIN without being asked can leave and delete the account', async () => {
  const { owner, businessId, leave, setRole, roleId } = await assigned();
  const editors = [await h.user(), await h.user()];
  for (const editor of editors) {
    await setRole(owner, editor, roleId('SUPPORT'));
    await h.call('GET', `/v1/businesses/${businessId}/customers`, { token: editor.token });
    await setRole(owner, editor, roleId('ADMIN'));
    assert.deepEqual((await rolesOf(editor)).sort(), [
      ['ADMIN', true],
      ['SUPPORT', false],
    ]);
  }
  assert.equal((await leave(editors[0]!)).status, 200);
  assert.equal((await leave(owner)).status, 200, 'a member who has acted here is a successor');
  assert.equal((await remove(editors[1]!)).status, 200);
});

test('a role that becomes ADMIN obliges no member until they act', async () => {
  const { owner, businessId, setRole, roleId } = await assigned();
  const editor = await h.user();
  await setRole(owner, editor, roleId('SUPPORT'));
  await h.call('GET', `/v1/businesses/${businessId}/customers`, { token: editor.token });
  const body = { permissions: ['ADMIN' as const] };
  assert.equal((await h.call('PUT', `/v1/roles/${roleId('SUPPORT')}`, { token: owner.token, body })).status, 200);
  assert.deepEqual(await rolesOf(editor), [['SUPPORT', true]]);
});

test('members can leave in any session, and neither a scoped key nor a support session can do it for them', async () => {
  const { owner, stranger, businessId, accept, leave, setRole, roleId } = await assigned();
  await accept(stranger);
  const scopes = { businesses: [businessId], permissions: ['ADMIN'] };
  const { body } = await h.call('PUT', '/v1/users/update', {
    token: stranger.token,
    body: { apiTokens: [{ scopes }] },
  });
  assert.equal((await leave({ ...stranger, token: body.apiTokens[0]!.value })).status, 403);
  await h.call('PUT', `/v1/businesses/${businessId}`, {
    token: owner.token,
    body: { configs: { security: { requireSecondFactor: true } } },
  });
  assert.equal((await leave(stranger)).status, 200, 'even while the business withholds their permissions');
  const guest = await h.guest();
  assert.equal((await leave(guest)).status, 404);
  assert.equal((await setRole(owner, stranger, roleId('SUPPORT'))).status, 403);
});

test('an invitation is void while its sender has no permissions in the business', async () => {
  const { owner, businessId, roleId } = await assigned();
  const invited = await h.user();
  const body = { email: invited.email!, roleIds: [roleId('SUPPORT')] };
  await h.call('POST', `/v1/businesses/${businessId}/invitation`, { token: owner.token, body });
  const mail = (await h.mailbox()).find(({ to }) => to === invited.email);
  const token = /token=([\w.-]+)/.exec(mail?.kind === 'mail' ? mail.text : '')![1]!;
  await h.call('PUT', `/v1/businesses/${businessId}`, {
    token: owner.token,
    body: { configs: { security: { requireSecondFactor: true } } },
  });
  const answer = await h.call('PUT', `/v1/businesses/${businessId}/invitation`, {
    token: invited.token,
    body: { token, action: 'ACCEPT' },
  });
  assert.equal(answer.body.details?.[0]?.error, 'TOKEN_INVALID');
});
