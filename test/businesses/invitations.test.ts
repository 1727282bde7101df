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
  const roleId = (name: string): string => roles.items.find((role) => role.name === name)!.id;
  const path = `/v1/businesses/${business.id}/invitation` as const;
  const call = <M extends string, P extends string>(method: M, rest: P, body?: unknown, token = owner.token) =>
    h.call(method, `${path}${rest}`, { token, body });
  const invite = async (email: string | null, roleIds = [roleId('EDITOR')], token = owner.token) => {
    const response = await call('POST', '', { email, roleIds }, token);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return { ...response.body, token: await invitationToken(h, email!) } as Json;
  };
  const respond = (user: TestUser, token: string, action = 'ACCEPT') => call('PUT', '', { token, action }, user.token);
  const listed = async () => (await call('GET', '')).body.items.map((item) => item.email);
  const setRole = (userId: string, role: string | null) =>
    h.call('PUT', '/v1/users/set-role', {
      token: owner.token,
      body: { userId, roleId: role, businessId: business.id },
    });
  return { owner, businessId: business.id as string, roleId, path, call, invite, respond, listed, setRole };
}

async function invitationToken(harness: Harness, email: string): Promise<string> {
  const mail = (await harness.mailbox()).find((message) => message.to === email);
  return /invitation\?token=(\S+)/.exec(mail?.kind === 'mail' ? mail.text : '')![1]!;
}

const rolesOf = async ({ token }: TestUser) => (await h.call('GET', '/v1/users/me', { token })).body.roleIds;

test('the invited account accepts once, and the business can then see the member’s name and email', async () => {
  const { owner, businessId, roleId, invite, respond, listed } = await open();
  const user = await h.user();
  const { token, id, ...shown } = await invite(user.email!.toUpperCase(), [roleId('EDITOR'), roleId('SUPPORT')]);
  assert.match(id, /^inv_/);
  assert.equal(shown.expiresAt - shown.createdAt, 7 * DAYS);
  assert.deepEqual([shown.invitedBy, shown.roleIds.length], [owner.userId, 2]);
  assert.deepEqual(await listed(), [user.email!.toUpperCase()]);
  assert.equal((await respond(user, token)).status, 200);
  assert.deepEqual((await rolesOf(user)).sort(), [roleId('EDITOR'), roleId('SUPPORT')].sort());
  assert.deepEqual(await listed(), []);
  assert.equal((await respond(user, token)).body.details[0]!.error, 'TOKEN_INVALID');

  const path = `/v1/users/search?businessId=${businessId}&query=${user.email}` as const;
  const { body } = await h.call('GET', path, { token: owner.token });
  assert.equal(body.items[0]!.email, user.email);
});

test('declining adds no roles and invalidates the link', async () => {
  const { invite, respond, listed } = await open();
  const user = await h.user();
  const { token } = await invite(user.email);
  assert.equal((await respond(user, token, 'DECLINE')).status, 200);
  assert.equal((await respond(user, token)).status, 422);
  assert.deepEqual([await rolesOf(user), await listed()], [[], []]);
});

test('a token does not work for another account, a guest or another business', async () => {
  const mine = await open();
  const other = await open();
  const [invited, stranger, guest] = [await h.user(), await h.user(), await h.guest()];
  const { token } = await mine.invite(invited.email);
  assert.equal((await mine.respond(stranger, token)).status, 403);
  assert.equal((await mine.respond(guest, token)).status, 403);
  assert.equal((await mine.respond(guest, token, 'DECLINE')).status, 403);
  assert.equal((await other.respond(invited, token)).status, 422);
  for (const wrong of [`${token}x`, token.replace(/^[^.]+/, other.businessId), 'x', `${token}.y`, '..']) {
    assert.equal((await mine.respond(invited, wrong)).status, 422, wrong);
  }
  assert.equal((await mine.respond(invited, token)).status, 200);
});

test('an invitation ends after 7 days, when revoked, and when the same email is invited again', async () => {
  const { call, invite, respond, listed } = await open();
  const user = await h.user();
  const first = await invite(user.email);
  const second = await invite(user.email);
  assert.equal((await respond(user, first.token)).status, 422);
  assert.deepEqual(await listed(), [user.email]);
  assert.equal((await call('DELETE', `/${second.id}`)).status, 200);
  assert.equal((await call('DELETE', `/${second.id}`)).status, 404);
  assert.equal((await respond(user, second.token)).status, 422);
  const third = await invite(user.email);
  h.clock.advance(7 * DAYS);
  assert.equal((await respond(await h.user(), third.token)).status, 422);
  assert.equal(await findOpenInvitation(h.service.contexts.system(), third.token), null);
});

test('the invitations of an ADMIN are valid only while they have the role', async () => {
  const { roleId, invite, respond, listed, setRole, call } = await open();
  const [admin, user] = [await h.user(), await h.user()];
  await setRole(admin.userId, roleId('ADMIN'));
  const { token } = await invite(user.email, [roleId('ADMIN')], admin.token);
  await setRole(admin.userId, null);
  await setRole(admin.userId, roleId('EDITOR'));
  assert.equal((await respond(user, token)).status, 422);
  assert.equal(await findOpenInvitation(h.service.contexts.system(), token), null);
  assert.deepEqual(await listed(), []);
  assert.equal((await call('POST', '', { email: newEmail(), roleIds: [roleId('ADMIN')] }, admin.token)).status, 403);
  await setRole(admin.userId, roleId('ADMIN'));
  assert.equal((await respond(user, token)).status, 200);
});

test('a role deleted since the invitation is not assigned, and with no role left the invitation fails', async () => {
  const { owner, roleId, invite, respond } = await open();
  const [one, two] = [await h.user(), await h.user()];
  const both = await invite(one.email, [roleId('EDITOR'), roleId('SUPPORT')]);
  const single = await invite(two.email, [roleId('EDITOR')]);
  await h.call('DELETE', `/v1/roles/${roleId('EDITOR')}`, { token: owner.token });
  assert.equal((await respond(one, both.token)).status, 200);
  assert.deepEqual(await rolesOf(one), [roleId('SUPPORT')]);
  assert.equal((await respond(two, single.token)).status, 409);
});

test('of several concurrent uses of one token, one succeeds', async () => {
  const { invite, respond } = await open();
  const user = await h.user();
  const { token } = await invite(user.email);
  const responses = await Promise.all(Array.from({ length: 5 }, () => respond(user, token)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422, 422, 422, 422]);
});

test('invalid roles and emails are rejected, and invitations end with their business', async () => {
  const { owner, call, roleId, invite, respond, businessId } = await open();
  const other = await open();
  const wrong = await call('POST', '', { email: newEmail(), roleIds: [roleId('EDITOR'), other.roleId('ADMIN')] });
  assert.deepEqual([wrong.status, wrong.body.details[0]!.field], [422, 'roleIds[1]']);
  assert.equal((await call('POST', '', { email: 'x', roleIds: [] })).body.details.length, 2);
  const user = await h.user();
  const { token } = await invite(user.email);
  await h.call('DELETE', `/v1/businesses/${businessId}`, { token: owner.token });
  assert.equal((await respond(user, token)).status, 404);
  assert.equal(await findOpenInvitation(h.service.contexts.system(), token), null);
});

test('the email names the sender, and no user input in it becomes a link', async () => {
  const { owner, path, invite } = await open();
  const name = 'Win at evil.example/x <b>now</b> http://evil.example and more '.repeat(3).trim();
  await h.call('PUT', path.replace('/invitation', ''), { token: owner.token, body: { name } });
  const email = newEmail();
  await invite(email);
  const mail = (await h.mailbox()).find((message) => message.to === email) as Json;
  assert.match(mail.text, new RegExp(`^You're invited\n\n${owner.email} invited you`));
  assert.doesNotMatch(`${mail.subject} ${mail.text} ${mail.html}`, /evil\.example|:\/\/evil|<b>/);
  assert.ok(mail.subject.length < 100);
});

test('invitations are limited by caller and by recipient', async () => {
  const { call, roleId } = await open();
  const invite = (email: string) => call('POST', '', { email, roleIds: [roleId('EDITOR')] });
  const victim = newEmail();
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push((await invite(victim.replace('@', `+${i}@`))).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  for (let i = 0; i < 6; i++) await invite(newEmail());
  assert.equal((await invite(newEmail())).status, 429);
});
