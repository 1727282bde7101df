import assert from 'node:assert/strict';
import test from 'node:test';
import { findOpenInvitation } from '../../src/domains/businesses/index.ts';
import { newEmail } from '../accounts/people.ts';
import { type Harness, type Json, startHarness, type TestUser } from '../harness.ts';

const h = await startHarness({ LIMIT_MAIL: '12/100' });
const DAYS = 86_400;

async function open() {
  const owner = await h.user();
  const { body: business } = await h.call('POST', '/v1/businesses', { token: owner.token, body: { name: 'Shop' } });
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${business.id}`, { token: owner.token });
  const roleId = (name: string): string => roles.items.find((role: Json) => role.name === name).id;
  const path = `/v1/businesses/${business.id}/invitation`;
  const call = (method: string, rest: string, body?: unknown, token = owner.token) =>
    h.call(method, `${path}${rest}`, { token, body });
  const invite = async (email: string | null, roleIds = [roleId('EDITOR')], token = owner.token) => {
    const answer = await call('POST', '', { email, roleIds }, token);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return { ...answer.body, token: await invitationToken(h, email!) } as Json;
  };
  const answer = (user: TestUser, token: string, action = 'ACCEPT') => call('PUT', '', { token, action }, user.token);
  const listed = async () => (await call('GET', '')).body.items.map((item: Json) => item.email);
  const setRole = (userId: string, role: string | null) =>
    h.call('PUT', '/v1/users/set-role', {
      token: owner.token,
      body: { userId, roleId: role, businessId: business.id },
    });
  return { owner, businessId: business.id as string, roleId, path, call, invite, answer, listed, setRole };
}

async function invitationToken(harness: Harness, email: string): Promise<string> {
  const mail = (await harness.mailbox()).find((message) => message.to === email);
  return /invitation\?token=(\S+)/.exec(mail?.kind === 'mail' ? mail.text : '')![1]!;
}

const rolesOf = async ({ token }: TestUser) => (await h.call('GET', '/v1/users/me', { token })).body.roleIds;

test('the account that was invited accepts, once, and has acted there', async () => {
  const { owner, businessId, roleId, invite, answer, listed } = await open();
  const user = await h.user();
  const { token, id, ...shown } = await invite(user.email!.toUpperCase(), [roleId('EDITOR'), roleId('SUPPORT')]);
  assert.match(id, /^inv_/);
  assert.equal(shown.expiresAt - shown.createdAt, 7 * DAYS);
  assert.deepEqual([shown.invitedBy, shown.roleIds.length], [owner.userId, 2]);
  assert.deepEqual(await listed(), [user.email!.toUpperCase()]);
  assert.equal((await answer(user, token)).status, 200);
  assert.deepEqual((await rolesOf(user)).sort(), [roleId('EDITOR'), roleId('SUPPORT')].sort());
  assert.deepEqual(await listed(), []);
  assert.equal((await answer(user, token)).body.details[0].error, 'TOKEN_INVALID');

  const path = `/v1/users/search?businessId=${businessId}&query=${user.email}`;
  const { body } = await h.call('GET', path, { token: owner.token });
  assert.equal(body.items[0].email, user.email);
});

test('whoever declines joins nothing and uses the link up', async () => {
  const { invite, answer, listed } = await open();
  const user = await h.user();
  const { token } = await invite(user.email);
  assert.equal((await answer(user, token, 'DECLINE')).status, 200);
  assert.equal((await answer(user, token)).status, 422);
  assert.deepEqual([await rolesOf(user), await listed()], [[], []]);
});

test('a token opens nothing to another account, to a guest or in another business', async () => {
  const mine = await open();
  const other = await open();
  const [invited, stranger, guest] = [await h.user(), await h.user(), await h.guest()];
  const { token } = await mine.invite(invited.email);
  assert.equal((await mine.answer(stranger, token)).status, 403);
  assert.equal((await mine.answer(guest, token)).status, 403);
  assert.equal((await mine.answer(guest, token, 'DECLINE')).status, 403);
  assert.equal((await other.answer(invited, token)).status, 422);
  for (const wrong of [`${token}x`, token.replace(/^[^.]+/, other.businessId), 'x', `${token}.y`, '..']) {
    assert.equal((await mine.answer(invited, wrong)).status, 422, wrong);
  }
  assert.equal((await mine.answer(invited, token)).status, 200);
});

test('an invitation ends after 7 days, when it is taken back, and when the same address is invited again', async () => {
  const { call, invite, answer, listed } = await open();
  const user = await h.user();
  const first = await invite(user.email);
  const second = await invite(user.email);
  assert.equal((await answer(user, first.token)).status, 422);
  assert.deepEqual(await listed(), [user.email]);
  assert.equal((await call('DELETE', `/${second.id}`)).status, 200);
  assert.equal((await call('DELETE', `/${second.id}`)).status, 404);
  assert.equal((await answer(user, second.token)).status, 422);
  const third = await invite(user.email);
  h.clock.advance(7 * DAYS);
  assert.equal((await answer(await h.user(), third.token)).status, 422);
  assert.equal(await findOpenInvitation(h.service.contexts.system(), third.token), null);
});

test('the invitations of an ADMIN end with their role, and come back with it', async () => {
  const { roleId, invite, answer, listed, setRole, call } = await open();
  const [admin, user] = [await h.user(), await h.user()];
  await setRole(admin.userId, roleId('ADMIN'));
  const { token } = await invite(user.email, [roleId('ADMIN')], admin.token);
  await setRole(admin.userId, null);
  await setRole(admin.userId, roleId('EDITOR'));
  assert.equal((await answer(user, token)).status, 422);
  assert.equal(await findOpenInvitation(h.service.contexts.system(), token), null);
  assert.deepEqual(await listed(), []);
  assert.equal((await call('POST', '', { email: newEmail(), roleIds: [roleId('ADMIN')] }, admin.token)).status, 403);
  await setRole(admin.userId, roleId('ADMIN'));
  assert.equal((await answer(user, token)).status, 200);
});

test('a role that was deleted meanwhile is not given, and without any other there is nothing to accept', async () => {
  const { owner, roleId, invite, answer } = await open();
  const [one, two] = [await h.user(), await h.user()];
  const both = await invite(one.email, [roleId('EDITOR'), roleId('SUPPORT')]);
  const single = await invite(two.email, [roleId('EDITOR')]);
  await h.call('DELETE', `/v1/roles/${roleId('EDITOR')}`, { token: owner.token });
  assert.equal((await answer(one, both.token)).status, 200);
  assert.deepEqual(await rolesOf(one), [roleId('SUPPORT')]);
  assert.equal((await answer(two, single.token)).status, 409);
});

test('of many who use one token at the same moment one is let in', async () => {
  const { invite, answer } = await open();
  const user = await h.user();
  const { token } = await invite(user.email);
  const answers = await Promise.all(Array.from({ length: 5 }, () => answer(user, token)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422]);
});

test('an invitation is for roles of the business and a real address, and a deleted business invites nobody', async () => {
  const { owner, call, roleId, invite, answer, businessId } = await open();
  const other = await open();
  const wrong = await call('POST', '', { email: newEmail(), roleIds: [roleId('EDITOR'), other.roleId('ADMIN')] });
  assert.deepEqual([wrong.status, wrong.body.details[0].field], [422, 'roleIds[1]']);
  assert.equal((await call('POST', '', { email: 'x', roleIds: [] })).body.details.length, 2);
  const user = await h.user();
  const { token } = await invite(user.email);
  await h.call('DELETE', `/v1/businesses/${businessId}`, { token: owner.token });
  assert.equal((await answer(user, token)).status, 404);
  assert.equal(await findOpenInvitation(h.service.contexts.system(), token), null);
});

test('the mail says who invites, and nothing in it that a stranger typed can be clicked on', async () => {
  const { owner, path, invite } = await open();
  const name = 'Win at evil.example/x <b>now</b> http://evil.example and more '.repeat(3).trim();
  await h.call('PUT', path.replace('/invitation', ''), { token: owner.token, body: { name } });
  const email = newEmail();
  await invite(email);
  const mail = (await h.mailbox()).find((message) => message.to === email) as Json;
  assert.match(mail.text, new RegExp(`^${owner.email} invites you`));
  assert.doesNotMatch(`${mail.subject} ${mail.text} ${mail.html}`, /evil\.example|:\/\/evil|<b>/);
  assert.ok(mail.subject.length < 100);
});

test('inviting is limited, by the caller and by the address that gets the mail', async () => {
  const { call, roleId } = await open();
  const invite = (email: string) => call('POST', '', { email, roleIds: [roleId('EDITOR')] });
  const victim = newEmail();
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push((await invite(victim.replace('@', `+${i}@`))).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  for (let i = 0; i < 6; i++) await invite(newEmail());
  assert.equal((await invite(newEmail())).status, 429);
});
